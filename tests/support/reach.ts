/**
 * Determines from the parse tree (of PostgreSQL's own parser) which workspaces a statement can reach.
 *
 * A tenant table is restricted if a condition of the same query always compares its workspace_id (`workspaces`: its id)
 * - with a parameter called `workspaceId`, or with any element of one called `workspaceIds`;
 * - with the workspace_id of rows passed as a parameter (`unnest`, `json_to_recordset`);
 * - with the workspace_id of another table, query or outer query that is itself restricted. A condition of an outer
 *   join restricts only the nullable side. An inserted row is restricted if its workspace_id comes from one of these.
 */
import {
  type DeleteStmt,
  type InsertStmt,
  loadModule,
  type Node,
  parseSync,
  type RangeSubselect,
  type RangeVar,
  type ResTarget,
  type SelectStmt,
  type UpdateStmt,
  type WithClause,
} from 'libpg-query'
import { type Catalogue, keyOf, type TableKind } from './catalogue.ts'
import type { Variant } from './statements.ts'

/** `one` workspace, those of the `rows` in a parameter, or `across` all of them. `none` if no tenant table is used. */
export type Reach = 'none' | 'one' | 'rows' | 'across'

export interface Judgement {
  reach: Reach
  /** Tenant tables without a restriction, under their names in the statement. */
  unrestricted: string[]
  /** Tables that the statement uses, by kind. Relations that the catalogue does not contain are `unknown`. */
  touches: Record<TableKind | 'unknown', string[]>
  /** Parameters that a workspace is compared with. */
  workspaces: string[]
  /** Whether the statement takes an advisory lock. */
  locks: boolean
}

await loadModule()

/** Throws if the text is not a statement. A wrongly composed text must not pass as a statement that uses no table. */
export const judge = ({ sql, parameters }: Variant, catalogue: Catalogue): Judgement => {
  const judge = new Judge(parameters, catalogue)
  for (const { stmt } of parsed(sql)) if (stmt) judge.statement(stmt)
  return judge.judgement()
}

const parsed = (sql: string) => {
  try {
    return parseSync(sql).stmts ?? []
  } catch (error) {
    throw new Error(`${error instanceof Error ? error.message : error} in the statement ${sql}`, { cause: error })
  }
}

/** The restriction of a workspace column. Null means none. */
type Hold = 'one' | 'rows' | null

/** A result column of a query. A column called `*` represents any number of others. */
interface Column {
  name: string
  hold: Hold
}

interface Relation {
  name: string
  /** The tenant table, if it is one. */
  table: string | null
  /** The column that holds the workspace id. */
  key: string | null
  /** The columns, or null if not all of them are known. */
  columns: Set<string> | null
  hold: Hold
}

interface Scope {
  relations: Relation[]
  outer: Scope | null
}

/** Names defined in `with`. */
type Named = ReadonlyMap<string, Column[]>

/** Two columns that are equal in every row, and the relations that this restricts. */
interface Equality {
  left: Relation
  right: Relation | { hold: Hold }
  restricts: readonly Relation[]
}

type Fields = Record<string, unknown>

class Judge {
  readonly #unrestricted = new Set<string>()
  readonly #holds = new Set<Hold>()
  readonly #touched = new Map<string, TableKind | 'unknown'>()
  readonly #workspaces = new Set<string>()
  /**
   * Every table reference that was judged within a query. The others count as unrestricted, because they are outside
   * any query or in a blind spot of this reader.
   */
  readonly #judged = new Set<RangeVar>()
  #locks = false
  /** While positive, relations are only collected and missing restrictions are not reported. */
  #silent = 0

  constructor(
    private readonly parameters: string[],
    private readonly catalogue: Catalogue,
  ) {}

  statement(node: Node): void {
    this.#query(node, null, new Map())
    for (const [kind, fields] of nodesIn(node)) {
      if (kind === 'RangeVar' && !this.#judged.has(fields as RangeVar)) this.#mention(fields as RangeVar)
      if (kind === 'FuncCall') this.#call(fields)
    }
  }

  judgement(): Judgement {
    const touches: Judgement['touches'] = { tenant: [], directory: [], process: [], bookkeeping: [], unknown: [] }
    for (const [name, kind] of this.#touched) touches[kind].push(name)
    return {
      reach: this.#reach(touches.tenant.length),
      unrestricted: [...this.#unrestricted],
      touches,
      workspaces: [...this.#workspaces],
      locks: this.#locks,
    }
  }

  #reach(tenants: number): Reach {
    if (tenants === 0) return 'none'
    if (this.#unrestricted.size > 0) return 'across'
    return this.#holds.has('rows') ? 'rows' : 'one'
  }

  /** Judges a query with all its subqueries and returns its columns. */
  #query(node: Node, outer: Scope | null, named: Named): Column[] {
    if ('SelectStmt' in node) return this.#select(node.SelectStmt, outer, named)
    if ('InsertStmt' in node) return this.#insert(node.InsertStmt, outer, named)
    if ('UpdateStmt' in node) return this.#change(node.UpdateStmt, node.UpdateStmt.fromClause, outer, named)
    if ('DeleteStmt' in node) return this.#change(node.DeleteStmt, node.DeleteStmt.usingClause, outer, named)
    return []
  }

  #select(select: SelectStmt, outer: Scope | null, before: Named): Column[] {
    const named = this.#with(select.withClause, outer, before)
    if (select.larg && select.rarg) {
      const left = this.#select(select.larg, outer, named)
      const right = this.#select(select.rarg, outer, named)
      return left.map(({ name, hold }, index) => ({ name, hold: weaker(hold, right[index]?.hold ?? null) }))
    }
    const scope: Scope = { relations: [], outer }
    const equalities: Equality[] = []
    this.#from(select.fromClause ?? [], scope, named, equalities)
    this.#hold(scope, named, equalities, select.fromClause ?? [], select.whereClause)
    this.#within(select, scope, named)
    return this.#columns(select.targetList ?? [], scope)
  }

  #insert(insert: InsertStmt, outer: Scope | null, before: Named): Column[] {
    const named = this.#with(insert.withClause, outer, before)
    const target = this.#table(insert.relation!, null)
    const place = (insert.cols ?? []).findIndex(column => 'ResTarget' in column && column.ResTarget.name === target.key)
    const values =
      insert.selectStmt && 'SelectStmt' in insert.selectStmt ? insert.selectStmt.SelectStmt.valuesLists : null
    if (values) {
      const rows = values.map(list => ('List' in list ? (list.List.items?.[place] ?? null) : null))
      const holds = rows.map(value => (value ? this.#parameterHold(value) : null))
      target.hold = place < 0 ? null : holds.reduce(weaker)
    } else if (insert.selectStmt) {
      const columns = this.#query(insert.selectStmt, outer, named)
      const known = columns.slice(0, place + 1).every(({ name }) => name !== '*')
      target.hold = place >= 0 && known ? (columns[place]?.hold ?? null) : null
    }
    const scope: Scope = { relations: [target], outer }
    this.#note(target)
    this.#within({ ...insert, selectStmt: values ? insert.selectStmt : undefined }, scope, named)
    return this.#columns(insert.returningClause?.exprs ?? [], scope)
  }

  #change(change: UpdateStmt | DeleteStmt, using: Node[] = [], outer: Scope | null, before: Named): Column[] {
    const named = this.#with(change.withClause, outer, before)
    const scope: Scope = { relations: [this.#table(change.relation!, null)], outer }
    const equalities: Equality[] = []
    this.#from(using, scope, named, equalities)
    this.#hold(scope, named, equalities, using, change.whereClause)
    this.#within(change, scope, named)
    return this.#columns(change.returningClause?.exprs ?? [], scope)
  }

  #with(clause: WithClause | undefined, outer: Scope | null, before: Named): Named {
    const named = new Map(before)
    for (const node of clause?.ctes ?? []) {
      if (!('CommonTableExpr' in node)) continue
      const { ctename, ctequery, aliascolnames } = node.CommonTableExpr
      // The non-recursive term of a recursive query determines the columns of its self-reference.
      const start = clause?.recursive && 'SelectStmt' in ctequery! ? ctequery.SelectStmt.larg : undefined
      const begun = start && this.#silently(() => this.#select(start, outer, named))
      if (begun) named.set(ctename!, renamed(begun, aliascolnames))
      named.set(ctename!, renamed(this.#query(ctequery!, outer, named), aliascolnames))
    }
    return named
  }

  /** Returns the relations of this `from` list, and adds the equalities of its joins. */
  #from(items: Node[], scope: Scope, named: Named, equalities: Equality[]): Relation[] {
    return items.flatMap(item => {
      if (!('JoinExpr' in item)) {
        const relation = this.#relation(item, scope, named)
        scope.relations.push(relation)
        return [relation]
      }
      const { larg, rarg, jointype, usingClause, quals } = item.JoinExpr
      const left = this.#from([larg!], scope, named, equalities)
      const right = this.#from([rarg!], scope, named, equalities)
      const restricts = [
        ...(jointype === 'JOIN_INNER' || jointype === 'JOIN_RIGHT' ? left : []),
        ...(jointype === 'JOIN_INNER' || jointype === 'JOIN_LEFT' ? right : []),
      ]
      if (textsOf(usingClause).includes('workspace_id')) {
        const keyed = (relations: Relation[]) => relations.filter(({ key }) => key === 'workspace_id')
        for (const one of keyed(left))
          for (const other of keyed(right)) equalities.push({ left: one, right: other, restricts })
      }
      equalities.push(...this.#equalities(quals, scope, restricts))
      return [...left, ...right]
    })
  }

  #relation(item: Node, scope: Scope, named: Named): Relation {
    if ('RangeVar' in item) return this.#table(item.RangeVar, named)
    if ('RangeSubselect' in item) return this.#subselect(item.RangeSubselect, scope, named)
    if ('RangeFunction' in item) {
      const { alias, coldeflist, functions } = item.RangeFunction
      const names = [
        ...textsOf(alias?.colnames),
        ...(coldeflist ?? []).map(column => ('ColumnDef' in column ? (column.ColumnDef.colname ?? '') : '')),
      ]
      const given = nodesIn(functions ?? []).some(([kind]) => kind === 'ParamRef')
      return derived(
        alias?.aliasname ?? '',
        names.map(name => ({ name, hold: name === 'workspace_id' && given ? 'rows' : null })),
      )
    }
    return { name: '', table: null, key: null, columns: null, hold: null }
  }

  /** Resolves a table or a name defined in `with`. */
  #table(relation: RangeVar, named: Named | null): Relation {
    this.#judged.add(relation)
    const name = relation.alias?.aliasname ?? relation.relname!
    const columns = relation.schemaname ? undefined : named?.get(relation.relname!)
    if (columns) return derived(name, renamed(columns, relation.alias?.colnames))
    const kind = this.#touch(relation)
    const known = this.catalogue.tables.get(relation.relname!)
    const table = kind === 'tenant' ? relation.relname! : null
    // A table with renamed columns is not followed.
    const key = table && !relation.alias?.colnames ? keyOf(table) : null
    return { name, table, key, columns: known?.columns ?? null, hold: null }
  }

  #touch({ schemaname, relname }: RangeVar): TableKind | 'unknown' {
    const kind = this.catalogue.kindOf(relname!, schemaname)
    this.#touched.set(schemaname ? `${schemaname}.${relname}` : relname!, kind)
    return kind
  }

  /** Handles a table outside any query, as in `lock table`. */
  #mention(relation: RangeVar): void {
    if (this.#touch(relation) === 'tenant') this.#unrestricted.add(relation.relname!)
  }

  #call({ funcname }: Fields): void {
    const names = textsOf(funcname as Node[])
    if (names.some(name => /advisory/.test(name))) this.#locks = true
    if (names.length > 1 && names[0] !== 'pg_catalog')
      this.#touched.set(names.join('.'), this.catalogue.kindOf(names[1]!, names[0]!))
  }

  /** Determines the restriction of each relation and records unrestricted tenant tables. */
  #hold(scope: Scope, named: Named, equalities: Equality[], from: Node[], where: Node | undefined): void {
    equalities.push(...this.#equalities(where, scope, scope.relations))
    const restrictable = equalities.flatMap(({ left, right, restricts }) => [
      ...restricts.filter(one => one === left).map(one => [one, right] as const),
      ...restricts.filter(one => one === right).map(one => [one, left] as const),
    ])
    for (let changed = true; changed; ) {
      changed = false
      for (const [relation, other] of [...restrictable, ...this.#laterals(from, scope, named)]) {
        const hold = stronger(relation.hold, other.hold)
        changed ||= hold !== relation.hold
        relation.hold = hold
      }
    }
    for (const relation of scope.relations) this.#note(relation)
  }

  /** Finds queries in `from` that an earlier relation may restrict, with their result. */
  #laterals(from: Node[], scope: Scope, named: Named): [Relation, Relation][] {
    return subselectsOf(from).flatMap((item): [Relation, Relation][] => {
      const relation = scope.relations.find(({ name }) => name === item.alias?.aliasname)
      return item.lateral && relation ? [[relation, this.#subselect(item, scope, named)]] : []
    })
  }

  #subselect({ subquery, alias, lateral }: RangeSubselect, scope: Scope, named: Named): Relation {
    const columns = this.#silently(() => this.#query(subquery!, lateral ? scope : scope.outer, named))
    return derived(alias?.aliasname ?? '', renamed(columns, alias?.colnames))
  }

  #note({ table, name, hold }: Relation): void {
    if (table === null || this.#silent > 0) return
    if (hold === null) this.#unrestricted.add(name === table ? table : `${table} ${name}`)
    else this.#holds.add(hold)
  }

  #silently<T>(work: () => T): T {
    this.#silent++
    try {
      return work()
    } finally {
      this.#silent--
    }
  }

  /** Judges the queries inside expressions and inside `from`, which see the relations of this query. */
  #within(query: object, scope: Scope, named: Named): void {
    const visit = (value: unknown): void => {
      if (typeof value !== 'object' || value === null) return
      for (const [field, inner] of Object.entries(value)) {
        if (field === 'withClause') continue
        if (field === 'RangeSubselect') {
          const { subquery, lateral } = inner as { subquery: Node; lateral?: boolean }
          this.#query(subquery, lateral ? scope : scope.outer, named)
        } else if (field === 'SubLink') {
          const { subselect, testexpr } = inner as { subselect: Node; testexpr?: Node }
          this.#query(subselect, scope, named)
          visit(testexpr)
        } else visit(inner)
      }
    }
    visit(query)
  }

  /** Returns the equalities that hold in every row that passes the condition. */
  #equalities(condition: Node | undefined, scope: Scope, restricts: Equality['restricts']): Equality[] {
    if (!condition) return []
    if ('BoolExpr' in condition && condition.BoolExpr.boolop === 'AND_EXPR')
      return (condition.BoolExpr.args ?? []).flatMap(part => this.#equalities(part, scope, restricts))
    if (!('A_Expr' in condition)) return []
    const { kind, name, lexpr, rexpr } = condition.A_Expr
    if (textsOf(name).join('.') !== '=' || !lexpr || !rexpr) return []
    if (kind === 'AEXPR_OP_ANY') {
      const hold = this.#parameterHold(rexpr) && 'rows'
      return this.#keysOf(lexpr, scope).map(left => ({ left, right: { hold }, restricts }))
    }
    if (kind !== 'AEXPR_OP') return []
    return [
      [lexpr, rexpr],
      [rexpr, lexpr],
    ].flatMap(([one, other]) =>
      this.#keysOf(one!, scope).flatMap(left =>
        [...this.#keysOf(other!, scope), { hold: this.#parameterHold(other!) }].map(right => ({
          left,
          right,
          restricts,
        })),
      ),
    )
  }

  /**
   * Returns the relations whose workspace the expression is. Only `using`, which merges columns, gives more than one.
   */
  #keysOf(expression: Node, scope: Scope): Relation[] {
    const names = columnNames(expression)
    if (names === null) return []
    const column = names.at(-1)!
    const alias = names.at(-2)
    for (let one: Scope | null = scope; one; one = one.outer) {
      const meant = one.relations.filter(({ name, columns, key }) =>
        alias === undefined ? (columns ? columns.has(column) : column === key) : name === alias,
      )
      if (meant.length > 0) return meant.filter(({ key }) => key === column)
    }
    return []
  }

  /** Returns `one` or `rows` if the expression is a parameter that names a workspace or several. */
  #parameterHold(expression: Node): Hold {
    const bare = withoutCasts(expression)
    if (!('ParamRef' in bare)) return null
    const text = this.parameters[bare.ParamRef.number! - 1] ?? ''
    if (!/(^|\.)workspaceIds?$/.test(text)) return null
    this.#workspaces.add(text)
    return text.endsWith('s') ? 'rows' : 'one'
  }

  /** Returns the result columns in order, with their restrictions. */
  #columns(targets: Node[], scope: Scope): Column[] {
    return targets.map(target => {
      const { name, val } = ('ResTarget' in target ? target.ResTarget : {}) as ResTarget
      if (!val) return { name: name ?? '', hold: null }
      const names = columnNames(val)
      if (names?.at(-1) === '*') {
        const alias = names.at(-2)
        const meant = scope.relations.filter(one => one.key === 'workspace_id' && (alias ?? one.name) === one.name)
        return { name: meant.length > 0 ? '*' : '', hold: meant[0]?.hold ?? null }
      }
      const hold = this.#keysOf(val, scope)[0]?.hold ?? this.#parameterHold(val)
      return { name: name ?? names?.at(-1) ?? '', hold }
    })
  }
}

const textsOf = (names: Node[] = []): string[] => names.map(name => ('String' in name ? (name.String.sval ?? '') : ''))

/** Applies the given names to the columns, in order. */
const renamed = (columns: Column[], given: Node[] | undefined): Column[] => {
  const names = textsOf(given)
  if (names.length === 0) return columns
  const isKnown = columns.every(({ name }) => name !== '*')
  return names.map((name, index) => ({ name, hold: (isKnown && columns[index]?.hold) || null }))
}

const derived = (name: string, columns: Column[]): Relation => {
  const key = columns.find(column => column.name === 'workspace_id' || column.name === '*')
  const isComplete = columns.every(column => column.name !== '*')
  return {
    name,
    table: null,
    key: key ? 'workspace_id' : null,
    columns: isComplete ? new Set(columns.map(column => column.name)) : null,
    hold: key?.hold ?? null,
  }
}

const ranks = [null, 'rows', 'one'] as const
const stronger = (one: Hold, other: Hold): Hold => ranks[Math.max(ranks.indexOf(one), ranks.indexOf(other))]!
const weaker = (one: Hold, other: Hold): Hold => ranks[Math.min(ranks.indexOf(one), ranks.indexOf(other))]!

const withoutCasts = (node: Node): Node => ('TypeCast' in node ? withoutCasts(node.TypeCast.arg!) : node)

/** Returns the parts of `w.id`, or null if the expression is not a column. */
const columnNames = (expression: Node): string[] | null => {
  const bare = withoutCasts(expression)
  if (!('ColumnRef' in bare)) return null
  return (bare.ColumnRef.fields ?? []).map(field => ('String' in field ? (field.String.sval ?? '') : '*'))
}

const subselectsOf = (from: Node[]): RangeSubselect[] =>
  from.flatMap(item => {
    if ('RangeSubselect' in item) return [item.RangeSubselect]
    return 'JoinExpr' in item ? subselectsOf([item.JoinExpr.larg!, item.JoinExpr.rarg!]) : []
  })

/**
 * Returns every node of a tree with its kind, except the names after `for update of`. The target of an update appears
 * without a kind.
 */
const nodesIn = (tree: unknown): [string, Fields][] => {
  if (Array.isArray(tree)) return tree.flatMap(nodesIn)
  if (typeof tree !== 'object' || tree === null) return []
  return Object.entries(tree).flatMap(([field, value]) => {
    if (field === 'lockedRels') return []
    const kind = field === 'relation' && 'relname' in (value as object) ? 'RangeVar' : field
    const own: [string, Fields][] = typeof value === 'object' && !Array.isArray(value) ? [[kind, value as Fields]] : []
    return [...own, ...nodesIn(value)]
  })
}
