/** Lines of the JSON viewer. */

/** Maximum number of lines rendered. The number of the remaining lines is shown. */
const maxRows = 500

export interface JsonRow {
  /** Unique key of the line. The path is not unique, because a name may contain a dot. */
  key: string
  path: string
  depth: number
  /** Name of a field. Null for the whole value and for the elements of an array. */
  name: string | null
  value: unknown
  /** Number of children, null for a plain value. */
  children: number | null
  /** True for the line with the closing bracket. */
  closes?: true
  /** True if a comma follows. */
  hasComma: boolean
}

/** The search also covers folded values and rows beyond the maximum. It shows matching lines without brackets. */
export const toJsonRows = (value: unknown, collapsed: ReadonlySet<string>, query: string) => {
  const rows: JsonRow[] = []
  let [hiddenCount, total] = [0, 0]
  const addRow = (row: JsonRow, isCollapsed: boolean) => {
    if (!row.closes) total++
    if (query === '' ? isCollapsed : row.closes || !matchesQuery(row, query)) return
    if (rows.length < maxRows) rows.push(row)
    else hiddenCount++
  }
  const visit = (row: Omit<JsonRow, 'children'>, isCollapsed: boolean) => {
    const { key, path, depth, value } = row
    const isArray = Array.isArray(value)
    const entries = typeof value === 'object' && value !== null ? Object.entries(value) : null
    addRow({ ...row, children: entries?.length ?? null }, isCollapsed)
    if (!entries || entries.length === 0) return
    const isFolded = isCollapsed || collapsed.has(key)
    for (const [index, [child, part]] of entries.entries())
      visit(
        {
          key: `${key}/${child.replaceAll('/', '//')}`,
          path: path ? `${path}.${child}` : child,
          depth: depth + 1,
          name: isArray ? null : child,
          value: part,
          hasComma: index < entries.length - 1,
        },
        isFolded,
      )
    addRow({ ...row, key: `${key}/]`, children: entries.length, closes: true }, isFolded)
  }
  visit({ key: '', path: '', depth: 0, name: null, value, hasComma: false }, false)
  return { rows, hiddenCount, total }
}

const matchesQuery = ({ name, value, children }: JsonRow, query: string): boolean =>
  `${name ?? ''} ${children === null ? JSON.stringify(value) : ''}`.toLowerCase().includes(query)
