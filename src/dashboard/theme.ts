/** The looks in one place: quiet, dense, one accent, colour for status alone. Everything else reads from here. */
import {
  Button,
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
 * Violet-blue, for what can be done. Shade 6 on white and shade 4 on the dark page are both AA for text, and so is white on
 * shade 6.
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

/** At most 150 ms, and none where the person asks for none (`respectReducedMotion`, and the style sheet). */
const motion = { duration: 120 }

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
    // By their names alone: what only pages that are loaded later draw is not loaded for this.
    Checkbox: inputs,
    Select: inputs,
    Textarea: inputs,
    // What names a dialog is no second head of the page.
    ModalHeader: { defaultProps: { component: 'div' } },
    DrawerHeader: { defaultProps: { component: 'div' } },
    // The page itself never scrolls, and holding it still would take a style element of its own.
    Modal: Modal.extend({ defaultProps: { transitionProps: motion, centered: true, lockScroll: false } }),
    Drawer: Drawer.extend({ defaultProps: { transitionProps: motion, lockScroll: false } }),
    Menu: Menu.extend({ defaultProps: { transitionProps: motion } }),
    Tooltip: Tooltip.extend({ defaultProps: { transitionProps: motion, openDelay: 300 } }),
  },
})

const red = { '--mantine-color-red-filled': '#c92a2a', '--mantine-color-red-filled-hover': '#b02525' }

/** The library's own greys are too light for small text, and its red for white text on it. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...red,
    '--mantine-color-dimmed': '#5d6070',
    '--mantine-color-placeholder': '#6b6e7d',
    '--mantine-color-text': '#1c1d24',
  },
  dark: {
    ...red,
    '--mantine-color-dimmed': '#a5a8b6',
    '--mantine-color-placeholder': '#9295a3',
    '--mantine-color-text': '#e4e5ea',
  },
})
