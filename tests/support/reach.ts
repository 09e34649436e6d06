/**
 * How far a statement reaches among the workspaces, told from its parse tree (of PostgreSQL's own parser).
 *
 * A table of tenants is restricted where its workspace_id (of `workspaces`: its id) is, in the same query and as a
 * condition that always holds,
 * - compared with a parameter that is called `workspaceId`, or with any of one called `workspaceIds`;
 * - compared with the workspace_id of rows that were handed in (`unnest`, `json_to_recordset`);
 * - compared with that of another table, query or surrounding query that is itself restricted.
 * A condition of an outer join restricts only the side that may be missing. An inserted row is restricted where its
 * workspace_id comes from one of these.
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

/** `one` workspace, those of the `rows` handed in, or `across` all of them; `none` where no table of tenants is touched. */
export type Reach = 'none' | 'one' | 'rows' | 'across'

export interface Judgement {
  reach: Reach
  /** The tables of tenants that nothing restricts, as they are called in the statement. */
  unrestricted: string[]
  /** What the statement touches, by kind; relations that the catalogue does not know are `unknown`. */
  touches: Record<TableKind | 'unknown', string[]>
  /** The parameters that a workspace is compared with. */
  workspaces: string[]
  /** It takes an advisory lock. */
  locks: boolean
}

await loadModule()

/** Throws where the text is no statement: what was put together wrongly must not pass for one that touches nothing. */
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

/** What a column that says the workspace is restricted to; null = nothing. */
type Hold = 'one' | 'rows' | null

/** A column of a query's answer; one called `*` stands for any number of others. */
interface Column {
  name: string
  hold: Hold
}

interface Relation {
  name: string
  /** A table of tenants. */
  table: string | null
  /** Its column that says the workspace. */
  key: string | null
  /** Its columns; null where they are not all known. */
  columns: Set<string> | null
  hold: Hold
}

interface Scope {
  relations: Relation[]
  outer: Scope | null
}

/** Names given by `with`. */
type Named = ReadonlyMap<string, Column[]>

/** Two columns that are equal in every row, and the relations which that restricts. */
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
  /** Every mention of a table that was judged. One that was not would mean that this reader has a blind spot. */
  readonly #judged = new Set<RangeVar>()
  #locks = false
  /** While relations are only got to know, nothing is held against them. */
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

  /** Judges a query and all within it; answers its columns. */
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
      // What a recursive query says of itself is what its beginning says.
      const start = clause?.recursive && 'SelectStmt' in ctequery! ? ctequery.SelectStmt.larg : undefined
      const begun = start && this.#silently(() => this.#select(start, outer, named))
      if (begun) named.set(ctename!, renamed(begun, aliascolnames))
      named.set(ctename!, renamed(this.#query(ctequery!, outer, named), aliascolnames))
    }
    return named
  }

  /** The relations of a `from`, and what its joins say is equal. Answers those of this list alone. */
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

  /** A table, or what `with` calls by its name. */
  #table(relation: RangeVar, named: Named | null): Relation {
    this.#judged.add(relation)
    const name = relation.alias?.aliasname ?? relation.relname!
    const columns = relation.schemaname ? undefined : named?.get(relation.relname!)
    if (columns) return derived(name, renamed(columns, relation.alias?.colnames))
    const kind = this.#touch(relation)
    const known = this.catalogue.tables.get(relation.relname!)
    const table = kind === 'tenant' ? relation.relname! : null
    // One whose columns are called otherwise here is not followed.
    const key = table && !relation.alias?.colnames ? keyOf(table) : null
    return { name, table, key, columns: known?.columns ?? null, hold: null }
  }

  #touch({ schemaname, relname }: RangeVar): TableKind | 'unknown' {
    const kind = this.catalogue.kindOf(relname!, schemaname)
    this.#touched.set(schemaname ? `${schemaname}.${relname}` : relname!, kind)
    return kind
  }

  /** A table that is mentioned outside of any query, as by `lock table`. */
  #mention(relation: RangeVar): void {
    if (this.#touch(relation) === 'tenant') this.#unrestricted.add(relation.relname!)
  }

  #call({ funcname }: Fields): void {
    const names = textsOf(funcname as Node[])
    if (names.some(name => /advisory/.test(name))) this.#locks = true
    if (names.length > 1 && names[0] !== 'pg_catalog')
      this.#touched.set(names.join('.'), this.catalogue.kindOf(names[1]!, names[0]!))
  }

  /** Finds out what each relation is restricted to, and notes those of tenants that nothing restricts. */
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

  /** Queries in `from` that may be restricted by what stands before them, with what they are found to be. */
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

  /** The queries inside expressions and inside `from`, which see the relations of this one. */
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

  /** What a condition says is equal in every row that it lets through. */
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

  /** The relations whose workspace the expression is: more than one only where `using` made them one column. */
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

  /** `one` or `rows` where the expression is a parameter that names a workspace, or several. */
  #parameterHold(expression: Node): Hold {
    const bare = withoutCasts(expression)
    if (!('ParamRef' in bare)) return null
    const text = this.parameters[bare.ParamRef.number! - 1] ?? ''
    if (!/(^|\.)workspaceIds?$/.test(text)) return null
    this.#workspaces.add(text)
    return text.endsWith('s') ? 'rows' : 'one'
  }

  /** The columns of an answer, in order, with what they restrict to. */
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

/** Columns under the names that are given to them, in their order. */
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

/** `w.id` as its parts; null for anything that is no column. */
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

/** Everything in a tree, with its kind, but the names after `for update of`. A changed table stands there without one. */
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
