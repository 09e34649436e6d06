/** Formats the output of the demo. */
import { styleText } from 'node:util'

/** An output stream. `isTTY` and `columns` have the same meaning as in Node. */
export interface Screen {
  write(text: string): unknown
  isTTY?: boolean
  columns?: number
}

/** One count of the summary. */
export interface Row {
  /** Printed if it differs from the group of the previous row. */
  group: string
  label: string
  actual: number
  expected: number
  notes: Note[]
}

/** Explains a number. `count` is the part that the explanation applies to. */
export interface Note {
  count?: number
  text: string
}

const labelWidth = 12
const maxBarWidth = 24
/** Characters reserved next to the bar for label, numbers and note. */
const reservedColumns = 72
const redrawMs = 40
const maxColumns = 120

export class Output {
  constructor(private readonly screen: Screen) {}

  /** True if the output is shown to a person and is not stored. */
  get isOnTerminal(): boolean {
    return this.screen.isTTY === true
  }

  title(text: string): void {
    this.line(`\n${this.#styled('bold', text)}\n`)
  }

  /** Prints a completed step: a short label and a sentence. */
  step(label: string, text: string): void {
    const [first = '', ...rest] = wrapText(text, this.#columns - labelWidth - 3)
    this.line(`  ${label.padEnd(labelWidth)} ${first}`)
    for (const line of rest) this.line(`  ${' '.repeat(labelWidth)} ${line}`)
  }

  /** Prints additional text for the previous step. */
  detail(text: string): void {
    for (const line of wrapText(text, this.#columns - labelWidth - 3))
      this.line(`  ${' '.repeat(labelWidth)} ${this.#styled('dim', line)}`)
  }

  /** Prints sentences, wrapped at the width of the screen. */
  text(text: string): void {
    for (const line of wrapText(text, this.#columns - 2)) this.line(`  ${line}`)
  }

  line(text = ''): void {
    this.screen.write(`${text}\n`)
  }

  problem(text: string): void {
    for (const line of wrapText(text, this.#columns - 2)) this.line(`  ${this.#styled('red', line)}`)
  }

  success(text: string): void {
    this.line(`  ${this.#styled('green', text)}`)
  }

  /** Creates a progress line. It is redrawn in place on a terminal, and otherwise printed at each quarter. */
  progress(label: string, total: number): Progress {
    return new Progress(this.screen, label.padEnd(labelWidth), total)
  }

  /** Prints found and expected numbers in two columns. */
  table(rows: Row[]): void {
    const groupWidth = Math.max(...rows.map(({ group }) => group.length)) + 2
    const nameWidth = Math.max(...rows.map(({ label }) => label.length))
    const numbers = (actual: number | string, expected: number | string) =>
      String(actual).padStart(8) + this.#styled('dim', String(expected).padStart(10))
    this.line(`  ${' '.repeat(groupWidth + nameWidth)}${numbers('found', 'expected')}`)
    let previousGroup = ''
    for (const { group, label, actual, expected, notes } of rows) {
      const name = `  ${(group === previousGroup ? '' : group).padEnd(groupWidth)}${label.padEnd(nameWidth)}`
      this.line(name + numbers(actual, expected) + (actual === expected ? '' : this.#styled('red', '  differs')))
      for (const note of notes) this.#printNote(note, ' '.repeat(groupWidth + 4))
      previousGroup = group
    }
  }

  #printNote({ count, text }: Note, indent: string): void {
    const prefix = count === undefined ? '' : `${String(count).padStart(3)} × `
    const [first = '', ...rest] = wrapText(text, this.#columns - indent.length - prefix.length)
    this.line(this.#styled('dim', indent + prefix + first))
    for (const line of rest) this.line(this.#styled('dim', indent + ' '.repeat(prefix.length) + line))
  }

  get #columns(): number {
    return Math.min(maxColumns, this.screen.columns || maxColumns)
  }

  /** Applies colours only on a terminal that allows them. */
  #styled(style: 'bold' | 'dim' | 'red' | 'green', text: string): string {
    return this.screen === process.stdout ? styleText(style, text) : text
  }
}

/** Breaks the text at spaces into lines of at most `width` characters. */
const wrapText = (text: string, width: number): string[] => {
  const lines: string[] = []
  for (const word of text.split(' ')) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

export class Progress {
  #drawnAt = 0
  #quarter = 0

  constructor(
    private readonly screen: Screen,
    private readonly label: string,
    private readonly total: number,
  ) {}

  /** Shows the progress. Frequent calls are cheap. */
  update(done: number, note: string): void {
    if (this.screen.isTTY) this.#redraw(done, note)
    else this.#writeQuarter(done, note)
  }

  /** Prints the final state. */
  end(done: number, note: string): void {
    if (this.screen.isTTY) {
      this.#drawnAt = 0
      this.#redraw(done, note)
      this.screen.write('\n')
    } else if (this.#quarter < 4) this.#write(done, note)
  }

  #redraw(done: number, note: string): void {
    const now = performance.now()
    if (now - this.#drawnAt < redrawMs) return
    this.#drawnAt = now
    const columns = this.screen.columns || 80
    const barWidth = Math.max(8, Math.min(maxBarWidth, columns - reservedColumns))
    const filled = this.total === 0 ? barWidth : Math.min(barWidth, Math.floor((done / this.total) * barWidth))
    const bar = '━'.repeat(filled) + '─'.repeat(barWidth - filled)
    const text = `  ${this.label} ${bar} ${done} of ${this.total}   ${note}`
    // A wrapped line could not be overwritten.
    this.screen.write(`\r\u001b[2K${text.slice(0, columns - 1)}`)
  }

  #writeQuarter(done: number, note: string): void {
    const quarter = Math.floor((done / this.total) * 4)
    if (quarter <= this.#quarter) return
    this.#quarter = quarter
    this.#write(done, note)
  }

  #write(done: number, note: string): void {
    this.screen.write(`  ${this.label} ${done} of ${this.total}   ${note}\n`)
  }
}
