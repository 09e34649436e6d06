/** Declares files imported as text with `with { type: 'text' }`. They are included in the compiled binary. */
declare module '*.sql' {
  const text: string
  export default text
}

declare module '*.css' {
  const text: string
  export default text
}

declare module '*.md' {
  const text: string
  export default text
}

declare module '*.txt' {
  const text: string
  export default text
}

declare module '*.jsonl' {
  const text: string
  export default text
}

declare module '*.py' {
  const text: string
  export default text
}

declare module '*.php' {
  const text: string
  export default text
}

declare module '*.go' {
  const text: string
  export default text
}

declare module '*.rb' {
  const text: string
  export default text
}
