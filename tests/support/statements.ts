/**
 * Extracts every statement of a set of sources as the database receives it, with all fragments inserted. Uses
 * TypeScript's own parser. It resolves an embedded fragment by name: to a nearby fragment, to the function that makes
 * it, or to that function's arguments.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

export interface Source {
  /** Path relative to the root. */
  path: string
  text: string
}

export interface Statement {
  /** The top-level function, constant or method (`LeaseHolder.take`) that makes the statement. */
  name: string
  path: string
  /** A statement depends on conditions. There is one variant with all conditions true and one with all false. */
  variants: Variant[]
}

export interface Variant {
  /** Text with `$1`, `$2` in place of the values. */
  sql: string
  /** Source text of each value: `p.workspaceId`. */
  parameters: string[]
}

/**
 * Returns all statements of the sources: the tagged templates that are not part of another one. `gathered` names
 * functions that combine fragments at run time, with the functions that make these fragments. `handed in` means that
 * the fragments are in the object passed as the argument.
 */
export const statementsIn = (sources: readonly Source[], gathered: Gathered = {}): Statement[] =>
  new Composer(sources, gathered, false).statements()

/**
 * Returns the statements with more variants: each condition is also inverted alone. Any two independent parts of a
 * statement therefore occur together in one of its variants.
 */
export const compositionsIn = (sources: readonly Source[], gathered: Gathered = {}): Statement[] =>
  new Composer(sources, gathered, true).statements()

/** Finds texts that reach the database without a template: `x.unsafe(…)`, `x.file(…)`. */
export const textsPastTemplates = (sources: readonly Source[]): { path: string; name: string }[] =>
  sources.flatMap(({ path, text }) => {
    const file = parse(path, text)
    return nodesOf(file)
      .filter(
        node =>
          ts.isCallExpression(node) &&
          ts.isPropertyAccessExpression(node.expression) &&
          /^(unsafe|file)$/.test(node.expression.name.text),
      )
      .map(node => ({ path, name: nameOf(node) }))
  })

/**
 * Fragments of src that are combined only at run time. Maps each function to the functions whose fragments it
 * concatenates, or to `handed in` if they are passed to it.
 */
export const gatheredInSrc = {
  recordEffects: ['enqueueMessages', 'markSales', 'updateMergedAttributes'],
  dataFields: 'handed in',
  personalValues: 'handed in',
} as const

/** Returns the sources of src. `root` is the project folder. */
export const sourcesOf = (root: string): Source[] =>
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter(path => path.endsWith('.ts'))
    .map(path => ({ path: `src/${path}`, text: readFileSync(join(root, 'src', path), 'utf8') }))

type Gathered = Readonly<Record<string, readonly string[] | 'handed in'>>

/** A piece of a statement: text, or the placeholder of a value. */
type Piece = string | { value: string }

/** The possible variants of a fragment. */
type Ways = Piece[][]

/** The arguments of a call that is being followed. */
interface Call {
  parameters: Map<ts.ParameterDeclaration, ts.Expression>
  /** The call in which the arguments are evaluated. */
  from: Call | null
}

class Composer {
  readonly #files: ts.SourceFile[]
  /** Exported values of each file, by name. */
  readonly #exported = new Map<string, ts.Node[]>()
  readonly #calls = new Map<string, ts.CallExpression[]>()
  readonly #inlined = new Set<ts.TaggedTemplateExpression>()
  readonly #following = new Set<ts.Node>()

  constructor(
    sources: readonly Source[],
    private readonly gathered: Gathered,
    private readonly everyPair: boolean,
  ) {
    this.#files = sources.map(({ path, text }) => parse(path, text))
    for (const file of this.#files) {
      for (const [name, node] of exportsOf(file)) push(this.#exported, name, node)
      for (const node of nodesOf(file))
        if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) push(this.#calls, node.expression.text, node)
    }
  }

  statements(): Statement[] {
    const templates = this.#files.flatMap(file => nodesOf(file).filter(isTemplate))
    const composed = templates.map(template => ({ template, ways: this.#compose(template, null) }))
    return composed
      .filter(({ template }) => !this.#inlined.has(template))
      .map(({ template, ways }) => ({
        name: nameOf(template),
        path: template.getSourceFile().fileName,
        variants: ways.map(variantOf),
      }))
  }

  #compose(template: ts.TaggedTemplateExpression, call: Call | null): Ways {
    const literal = template.template
    if (ts.isNoSubstitutionTemplateLiteral(literal)) return [[literal.text]]
    const holes = literal.templateSpans.map(
      span => this.#fragment(span.expression, call) ?? [[{ value: textOf(span.expression, call) }]],
    )
    const put = (wayOf: (hole: number) => number): Piece[] => [
      literal.head.text,
      ...literal.templateSpans.flatMap((span, index) => [
        ...holes[index]![Math.min(wayOf(index), holes[index]!.length - 1)]!,
        span.literal.text,
      ]),
    ]
    const count = Math.max(...holes.map(ways => ways.length))
    const ways = Array.from({ length: count }, (_, way) => put(() => way))
    if (!this.everyPair) return ways
    const otherwise = holes.flatMap((own, hole) =>
      own.length === 1
        ? []
        : [0, count].flatMap(others => own.map((_, way) => put(index => (index === hole ? way : others)))),
    )
    return distinct([...ways, ...otherwise])
  }

  /** Returns the fragment that the expression adds to a statement, or null if it is a value. */
  #fragment(given: ts.Expression, call: Call | null): Ways | null {
    const expression = bare(given)
    if (isTemplate(expression)) {
      this.#inlined.add(expression)
      return this.#compose(expression, call)
    }
    if (ts.isConditionalExpression(expression)) {
      const ways = [this.#fragment(expression.whenTrue, call), this.#fragment(expression.whenFalse, call)]
      return together(ways)
    }
    if (ts.isIdentifier(expression)) return this.#named(expression, call)
    if (ts.isCallExpression(expression) && ts.isIdentifier(expression.expression)) {
      const { text } = expression.expression
      if (tags.test(text)) return [[identifierOf(expression.arguments[0], call)]]
      return this.#made(text, this.#declarationOf(expression.expression), expression, call)
    }
    return null
  }

  #named(name: ts.Identifier, call: Call | null): Ways | null {
    const declaration = this.#declarationOf(name)
    if (declaration && ts.isBindingElement(declaration)) {
      const [argument, from] = this.#fieldHandedIn(declaration, call)
      return argument && this.#fragment(argument, from)
    }
    if (declaration && ts.isParameter(declaration)) {
      const [argument, from] = argumentFor(declaration, call)
      return argument ? this.#fragment(argument, from) : this.#passed(declaration)
    }
    if (!declaration || !ts.isVariableDeclaration(declaration) || !declaration.initializer) return null
    return this.#once(declaration, () => this.#fragment(declaration.initializer!, call))
  }

  /** Resolves a destructured parameter to the field of the object that was passed. */
  #fieldHandedIn(field: ts.BindingElement, call: Call | null): [ts.Expression | null, Call | null] {
    const parameter = field.parent.parent
    if (!ts.isParameter(parameter)) return [null, null]
    const [argument, from] = argumentFor(parameter, call)
    const [object, within] = argument ? this.#object(argument, from) : [null, null]
    if (!object) return [null, null]
    const name = (field.propertyName ?? field.name).getText()
    const property = object.properties.find(one => one.name?.getText() === name)
    if (property && ts.isShorthandPropertyAssignment(property)) return [property.name, within]
    return property && ts.isPropertyAssignment(property) ? [property.initializer, within] : [null, null]
  }

  /** Resolves an expression to the object literal, also if a function passed the whole object on. */
  #object(given: ts.Expression, call: Call | null): [ts.ObjectLiteralExpression | null, Call | null] {
    const expression = bare(given)
    if (ts.isObjectLiteralExpression(expression)) return [expression, call]
    const declaration = ts.isIdentifier(expression) ? this.#declarationOf(expression) : null
    if (!declaration || !ts.isParameter(declaration)) return [null, null]
    const [argument, from] = argumentFor(declaration, call)
    return argument ? this.#object(argument, from) : [null, null]
  }

  /** Returns the fragments of an object argument, concatenated. */
  #handedIn(given: ts.Expression, call: Call | null): Ways[] {
    const expression = bare(given)
    if (ts.isObjectLiteralExpression(expression))
      return expression.properties
        .filter(ts.isPropertyAssignment)
        .map(({ initializer }) => this.#fragment(initializer, call) ?? [[{ value: textOf(initializer, call) }]])
    const declaration = ts.isIdentifier(expression) ? this.#declarationOf(expression) : null
    if (!declaration || !ts.isBindingElement(declaration)) return []
    const [argument, from] = this.#fieldHandedIn(declaration, call)
    return argument ? this.#handedIn(argument, from) : []
  }

  /** Resolves a parameter with a fragment type to the arguments of all calls of its function. */
  #passed(parameter: ts.ParameterDeclaration): Ways | null {
    if (!/\b(Fragment|ReturnType|PendingQuery)\b/.test(parameter.type?.getText() ?? '')) return null
    const calls = this.#calls.get(nameOf(parameter)) ?? []
    const index = parameter.parent.parameters.indexOf(parameter)
    return this.#once(parameter, () =>
      together(calls.map(one => (one.arguments[index] ? this.#fragment(one.arguments[index], null) : null))),
    )
  }

  /** Returns the fragment that a function call makes. */
  #made(name: string, declaration: ts.Node | null, made: ts.CallExpression | null, call: Call | null): Ways | null {
    const makers = this.gathered[name]
    if (makers && declaration) {
      for (const node of nodesOf(declaration)) if (isTemplate(node)) this.#inlined.add(node)
      if (makers === 'handed in') return listed((made?.arguments ?? []).flatMap(one => this.#handedIn(one, call)))
      return listed(
        makers.map(maker => this.#made(maker, this.#export(maker), this.#callBeside(declaration, maker), null) ?? []),
      )
    }
    const work = functionOf(declaration)
    if (!work) return null
    const parameters = new Map<ts.ParameterDeclaration, ts.Expression>()
    made?.arguments.forEach((argument, index) => {
      if (work.parameters[index]) parameters.set(work.parameters[index], argument)
    })
    return this.#once(work, () =>
      together(answersOf(work).map(answer => this.#fragment(answer, { parameters, from: call }))),
    )
  }

  /**
   * Returns the only call of the function in the same file, or null. Calls in other files can pass other arguments.
   */
  #callBeside(declaration: ts.Node, name: string): ts.CallExpression | null {
    const calls = (this.#calls.get(name) ?? []).filter(one => one.getSourceFile() === declaration.getSourceFile())
    return calls.length === 1 ? calls[0]! : null
  }

  /** Prevents endless recursion. */
  #once(node: ts.Node, work: () => Ways | null): Ways | null {
    if (this.#following.has(node)) return null
    this.#following.add(node)
    try {
      return work()
    } finally {
      this.#following.delete(node)
    }
  }

  /** Finds the declaration of a name: in an enclosing block, a parameter, the top of the file or another file. */
  #declarationOf(name: ts.Identifier): ts.Node | null {
    for (let node: ts.Node = name; node.parent; node = node.parent) {
      const found = declaredIn(node.parent, name.text)
      if (found === 'elsewhere') return null
      if (found && ts.isImportSpecifier(found)) return this.#export((found.propertyName ?? found.name).text)
      if (found) return found
    }
    return null
  }

  /** Import paths are ignored. At most one of the exports with this name may make a fragment. */
  #export(name: string): ts.Node | null {
    const found = this.#exported.get(name) ?? []
    const makers = found.filter(node => nodesOf(node).some(isTemplate))
    if (makers.length > 1)
      throw new Error(`${name} is exported by ${makers.map(node => node.getSourceFile().fileName).join(' and ')}`)
    return makers[0] ?? found[0] ?? null
  }
}

const tags = /^(sql|tx)$/

const isTemplate = (node: ts.Node): node is ts.TaggedTemplateExpression => ts.isTaggedTemplateExpression(node)

const parse = (path: string, text: string): ts.SourceFile =>
  ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true)

const nodesOf = (root: ts.Node): ts.Node[] => {
  const nodes: ts.Node[] = []
  const visit = (node: ts.Node): void => {
    nodes.push(node)
    ts.forEachChild(node, visit)
  }
  visit(root)
  return nodes
}

const push = <Value>(map: Map<string, Value[]>, name: string, value: Value): void => {
  const values = map.get(name)
  if (values) values.push(value)
  else map.set(name, [value])
}

const distinct = (ways: Ways): Ways => [...new Map(ways.map(way => [JSON.stringify(way), way])).values()]

const together = (all: (Ways | null)[]): Ways | null => {
  const ways = all.flatMap(one => one ?? [])
  return ways.length > 0 ? ways : null
}

/** Concatenates fragments with commas. */
const listed = (all: Ways[]): Ways | null =>
  all.length === 0 ? null : all.reduce((before, ways) => behind(before, ways))

const behind = (before: Ways, ways: Ways): Ways =>
  Array.from({ length: Math.max(before.length, ways.length) }, (_, way) => [
    ...(before[way] ?? before.at(-1)!),
    ', ',
    ...(ways[way] ?? ways.at(-1)!),
  ])

const variantOf = (pieces: Piece[]): Variant => {
  const parameters: string[] = []
  const sql = pieces.map(piece => (typeof piece === 'string' ? piece : `$${parameters.push(piece.value)}`)).join('')
  return { sql, parameters }
}

const bare = (expression: ts.Expression): ts.Expression =>
  ts.isParenthesizedExpression(expression) ||
  ts.isAsExpression(expression) ||
  ts.isNonNullExpression(expression) ||
  ts.isSatisfiesExpression(expression) ||
  ts.isAwaitExpression(expression)
    ? bare(expression.expression)
    : expression

/** Returns the argument for the parameter in the followed call, and the call in which that argument was written. */
const argumentFor = (parameter: ts.ParameterDeclaration, call: Call | null): [ts.Expression | null, Call | null] => {
  for (let one = call; one; one = one.from) {
    const argument = one.parameters.get(parameter)
    if (argument) return [argument, one.from]
  }
  return [null, null]
}

/** Returns the source text of a value. For a parameter, returns the text of the caller's argument. */
const textOf = (given: ts.Expression, call: Call | null): string => {
  const expression = bare(given)
  const parameter =
    ts.isIdentifier(expression) && call ? [...namesOf(call)].find(([name]) => name === expression.text) : null
  return parameter ? textOf(parameter[1], call!.from) : expression.getText()
}

const namesOf = (call: Call): Map<string, ts.Expression> =>
  new Map([...call.parameters].map(([parameter, argument]) => [parameter.name.getText(), argument]))

/** Returns the name of the column or table that `sql('name')` adds, or an unknown name if it is not a literal. */
const identifierOf = (given: ts.Expression | undefined, call: Call | null): string => {
  if (!given) return 'unknown_name'
  if (ts.isStringLiteralLike(given)) return given.text
  const argument = ts.isIdentifier(given) && call ? namesOf(call).get(given.text) : undefined
  return argument ? identifierOf(argument, call!.from) : 'unknown_name'
}

type Function = ts.ArrowFunction | ts.FunctionExpression | ts.FunctionDeclaration

const functionOf = (node: ts.Node | null | undefined): Function | null => {
  if (!node) return null
  if (ts.isArrowFunction(node) || ts.isFunctionExpression(node) || ts.isFunctionDeclaration(node)) return node
  return ts.isVariableDeclaration(node) ? functionOf(node.initializer) : null
}

/** Returns every expression that the function can return. */
const answersOf = (work: Function): ts.Expression[] => {
  if (!work.body) return []
  if (!ts.isBlock(work.body)) return [work.body]
  const answers: ts.Expression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node)) return
    if (ts.isReturnStatement(node) && node.expression) answers.push(node.expression)
    ts.forEachChild(node, visit)
  }
  ts.forEachChild(work.body, visit)
  return answers
}

/** Returns the declaration of the name in this node. `elsewhere` means that the name cannot be a fragment. */
const declaredIn = (node: ts.Node, name: string): ts.Node | 'elsewhere' | null => {
  if (ts.isFunctionLike(node)) {
    for (const parameter of node.parameters) {
      if (ts.isIdentifier(parameter.name) && parameter.name.text === name) return parameter
      if (!ts.isIdentifier(parameter.name) && bindsIn(parameter.name, name))
        return fieldOf(parameter.name, name) ?? 'elsewhere'
    }
    return null
  }
  if (!ts.isBlock(node) && !ts.isSourceFile(node)) return null
  for (const statement of node.statements) {
    if (ts.isFunctionDeclaration(statement) && statement.name?.text === name) return statement
    if (ts.isImportDeclaration(statement)) {
      const bindings = statement.importClause?.namedBindings
      const found = bindings && ts.isNamedImports(bindings) && bindings.elements.find(one => one.name.text === name)
      if (found) return found
    }
    if (!ts.isVariableStatement(statement)) continue
    for (const declaration of statement.declarationList.declarations) {
      if (ts.isIdentifier(declaration.name) ? declaration.name.text === name : bindsIn(declaration.name, name))
        return ts.isIdentifier(declaration.name) ? declaration : 'elsewhere'
    }
  }
  return null
}

const bindsIn = (pattern: ts.BindingName, name: string): boolean =>
  nodesOf(pattern).some(node => ts.isBindingElement(node) && ts.isIdentifier(node.name) && node.name.text === name)

/** Returns the element of an object pattern that declares the name, at most one level deep. */
const fieldOf = (pattern: ts.BindingPattern, name: string): ts.BindingElement | undefined =>
  ts.isObjectBindingPattern(pattern) ? pattern.elements.find(one => one.name.getText() === name) : undefined

const exportsOf = (file: ts.SourceFile): [string, ts.Node][] =>
  file.statements.flatMap((statement): [string, ts.Node][] => {
    if (!ts.canHaveModifiers(statement)) return []
    if (!ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword)) return []
    if (ts.isFunctionDeclaration(statement) && statement.name) return [[statement.name.text, statement]]
    if (!ts.isVariableStatement(statement)) return []
    return statement.declarationList.declarations.map(one => [one.name.getText(), one])
  })

/** Returns the name of the enclosing top-level declaration. For a class it includes the method. */
const nameOf = (given: ts.Node): string => {
  const names: string[] = []
  for (let node = given; node.parent; node = node.parent) {
    const atTop = ts.isSourceFile(node.parent) || ts.isVariableDeclarationList(node.parent)
    if (ts.isClassElement(node) || ts.isClassDeclaration(node)) names.unshift(node.name?.getText() ?? '')
    else if (ts.isVariableDeclaration(node) && ts.isSourceFile(node.parent.parent.parent))
      names.unshift(node.name.getText())
    else if (atTop && ts.isFunctionDeclaration(node)) names.unshift(node.name?.text ?? '')
  }
  return names.join('.')
}
