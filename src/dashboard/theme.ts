/**
 * Theme of the dashboard: quiet, dense, one accent color, and other colors for status only. All components read their
 * style from here.
 */
import {
  Button,
  type ComboboxProps,
  type CSSVariablesResolver,
  createTheme,
  Drawer,
  type MantineColorsTuple,
  type MantineThemeOverride,
  Menu,
  Modal,
  TextInput,
  Tooltip,
} from '@mantine/core'

/**
 * Violet-blue, for actions. Shade 6 on white and shade 4 on the dark page both meet AA for text. White on shade 6 does
 * too.
 */
const accent: MantineColorsTuple = [
  '#f0f1ff',
  '#dfe1fb',
  '#bcc0f2',
  '#a3a8f3',
  '#8e95f5',
  '#6a70e6',
  '#5157d6',
  '#4348ba',
  '#363b9a',
  '#2b2f7d',
]

const inputs = { defaultProps: { size: 'sm' } }

/** List of choices: at least as wide as its field, and as wide as its longest choice up to the maximum of the stylesheet. */
const comboboxProps: ComboboxProps = {
  position: 'bottom-start',
  width: 'max-content',
  middlewares: {
    size: {
      apply: ({ rects, elements }) => {
        elements.floating.style.minWidth = `${rects.reference.width}px`
      },
    },
  },
}
const lists = { defaultProps: { size: 'sm', comboboxProps } }

/** Duration of transitions in milliseconds. A person who prefers no motion gets none (`respectReducedMotion`, stylesheet). */
const motion = { duration: 120 }

/** Backdrop of dialogs, panels and the command palette. The page stays legible behind it. */
export const overlayProps = { backgroundOpacity: 0.35 }

export const theme: MantineThemeOverride = createTheme({
  primaryColor: 'accent',
  primaryShade: 6,
  colors: { accent },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  fontSizes: { xs: '12px', sm: '13px', md: '14px', lg: '16px', xl: '20px' },
  spacing: { xs: '4px', sm: '8px', md: '16px', lg: '24px', xl: '32px' },
  defaultRadius: 6,
  respectReducedMotion: true,
  focusRing: 'auto',
  headings: {
    fontWeight: '600',
    sizes: { h1: { fontSize: '20px' }, h2: { fontSize: '16px' }, h3: { fontSize: '14px' } },
  },
  components: {
    Burger: { defaultProps: { transitionDuration: motion.duration } },
    Button: Button.extend({ defaultProps: { size: 'xs' } }),
    TextInput: TextInput.extend(inputs),
    // Referenced by name, so that components of lazy pages are not loaded for the theme.
    Checkbox: inputs,
    TagsInput: inputs,
    // The default is the font of code, which no other part of the first page needs.
    Kbd: { defaultProps: { ff: 'text' } },
    Select: lists,
    Autocomplete: { defaultProps: { comboboxProps } },
    MultiSelect: { defaultProps: { comboboxProps } },
    Textarea: inputs,
    SegmentedControl: { vars: () => ({ root: { '--sc-padding': '4px 12px' } }) },
    // A `div`, because a dialog title is not a second page header.
    ModalHeader: { defaultProps: { component: 'div' } },
    DrawerHeader: { defaultProps: { component: 'div' } },
    // The page itself never scrolls. A scroll lock would also need its own style element.
    Modal: Modal.extend({ defaultProps: { transitionProps: motion, centered: true, lockScroll: false, overlayProps } }),
    Drawer: Drawer.extend({ defaultProps: { transitionProps: motion, lockScroll: false, overlayProps } }),
    // Without the placeholder, which is no menu item, a menu contains only its items.
    Menu: Menu.extend({ defaultProps: { transitionProps: motion, withInitialFocusPlaceholder: false, shadow: 'md' } }),
    Tooltip: Tooltip.extend({ defaultProps: { transitionProps: motion, openDelay: 300 } }),
  },
})

const red = { '--mantine-color-red-filled': '#c92a2a', '--mantine-color-red-filled-hover': '#b02525' }

/**
 * The library's grays are too light for small text, and its red is too light for white text. In the dark, surfaces have
 * the levels of the stylesheet.
 */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...red,
    '--mantine-color-accent-light-color': accent[6],
    // Shade 2 by default, on which the text of a button is too pale.
    '--mantine-color-accent-light-hover': '#e6e8fd',
    '--mantine-color-error': '#ae2020',
    '--mantine-color-red-6': '#ae2020',
    '--mantine-color-dimmed': '#5d6070',
    '--mantine-color-placeholder': '#6b6e7d',
    '--mantine-color-text': '#1c1d24',
  },
  dark: {
    ...red,
    '--mantine-color-accent-light-color': accent[3],
    '--mantine-color-error': '#f58f8f',
    '--mantine-color-red-6': '#f58f8f',
    '--mantine-color-body': 'var(--page)',
    // Background of inputs, a neutral gray by default.
    '--mantine-color-dark-6': 'var(--sunken)',
    // Track and current choice of a segmented control, tracks and thumbs of switches: neutral grays by default.
    '--mantine-color-dark-8': 'var(--sunken)',
    '--mantine-color-dark-5': 'var(--control)',
    '--mantine-color-disabled': 'var(--control)',
    '--mantine-color-disabled-color': 'var(--hairline-strong)',
    '--mantine-color-disabled-border': 'var(--control)',
    '--mantine-color-default': 'var(--raised)',
    '--mantine-color-default-hover': 'var(--floating)',
    '--mantine-color-default-border': 'var(--hairline)',
    '--mantine-color-dimmed': '#a5a8b6',
    '--mantine-color-placeholder': '#9295a3',
    '--mantine-color-text': '#e4e5ea',
  },
})
