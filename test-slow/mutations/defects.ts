import { parseSync } from 'oxc-parser'

/** A small change of one place of a source that its tests should notice. Offsets count from the start of the file. */
export type Defect = {
  file: string
  start: number
  end: number
  kind: string
  original: string
  changed: string
  /** Evaluated when the module loads, and not by a function of it. */
  static: boolean
}

type Node = { type: string; start: number; end: number; [key: string]: unknown }

const isNode = (value: unknown): value is Node => typeof (value as Node | null)?.type === 'string'
/** Of these only the expression exists at run time; of other nodes of TypeScript, nothing does. */
const typed = new Set(['TSAsExpression', 'TSSatisfiesExpression', 'TSNonNullExpression'])
const skipped = new Set(['ImportDeclaration', 'ExportAllDeclaration', 'ImportExpression', 'JSXAttribute'])
const isFunction = ({ type }: Node) => /Function/.test(type)

/** Visits what runs, with whether a function contains it. */
export function walk(node: Node, visit: (node: Node, inside: boolean) => void, inside = false) {
  if (skipped.has(node.type) || (node.type.startsWith('TS') && !typed.has(node.type))) return
  visit(node, inside)
  for (const [key, value] of Object.entries(node)) {
    const isName = key === 'source' || (key === 'key' && !node.computed)
    for (const child of isName ? [] : [value].flat())
      if (isNode(child)) walk(child, visit, inside || isFunction(node))
  }
}

export function programOf(file: string, text: string): Node {
  const { errors, program } = parseSync(file, text)
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`)
  return program as unknown as Node
}

const boundaries: Record<string, string> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>' }
const opposites: Record<string, string> = {
  '<': '>=',
  '<=': '>',
  '>': '<=',
  '>=': '<',
  '===': '!==',
  '!==': '===',
}

type Change = [kind: string, node: Node, changed: string]

function changesOfIf({ alternate, consequent, test }: Node): Change[] {
  const block = consequent as Node
  const last = block.type === 'BlockStatement' ? (block.body as Node[]).at(-1) : block
  const call = last?.type === 'ExpressionStatement' ? ((last.expression as Node).callee as Node) : undefined
  const isGuard = /^(Return|Throw)/.test(last?.type ?? '') || /^refuse/.test(String(call?.name))
  if (alternate || !isGuard) return []
  return [
    ['guard removed', test as Node, 'false'],
    ['guard negated', test as Node, '!'],
  ]
}

function changesOfLiteral(node: Node, states: ReadonlyMap<string, string>): Change[] {
  const { value } = node
  if (typeof value === 'number')
    return [1, -1].map((by): Change => ['number', node, String(Number((value + by).toPrecision(12)))])
  if (typeof value === 'boolean') return [['boolean', node, String(!value)]]
  const another = typeof value === 'string' && states.get(value)
  return another ? [['state', node, `'${another}'`]] : []
}

function changesOf(node: Node, states: ReadonlyMap<string, string>): Change[] {
  const operator = String(node.operator)
  switch (node.type) {
    case 'BinaryExpression':
      return [
        ...(boundaries[operator] ? [['boundary', node, boundaries[operator]] satisfies Change] : []),
        ...(opposites[operator] ? [['comparison', node, opposites[operator]] satisfies Change] : []),
      ]
    case 'AwaitExpression':
      return [['await', node, 'no await']]
    case 'IfStatement':
      return changesOfIf(node)
    case 'CallExpression': {
      const given = (node.callee as Node).name === 'and' ? (node.arguments as Node[]) : []
      const conditions = given.length > 1 ? given.filter(({ type }) => type !== 'SpreadElement') : []
      return conditions.map((one) => ['condition', one, 'undefined'])
    }
    default:
      return node.type === 'Literal' ? changesOfLiteral(node, states) : []
  }
}

/** Every defect that a source may be given. `states`: by its name, the state that a defect writes in its place. */
export function defectsIn(file: string, text: string, states: ReadonlyMap<string, string>): Defect[] {
  const found: Defect[] = []
  walk(programOf(file, text), (node, inside) => {
    for (const [kind, { end, start }, changed] of changesOf(node, states))
      found.push({ file, start, end, kind, original: text.slice(start, end), changed, static: !inside })
  })
  return found
}

/** The states that a source declares, each with the one that follows it. */
export function statesIn(file: string, text: string): [string, string][] {
  const found: [string, string][] = []
  walk(programOf(file, text), ({ id, init, type }) => {
    if (type !== 'VariableDeclarator' || !/states$|statefacts$/i.test(String((id as Node).name))) return
    let declared = init as Node
    while (typed.has(declared.type)) declared = declared.expression as Node
    const names = ((declared.properties ?? declared.elements ?? []) as Node[]).flatMap((one) => {
      const { name, value } = ((one.key as Node | undefined) ?? one) as { name?: string; value?: unknown }
      return name ?? (typeof value === 'string' ? value : [])
    })
    for (const [at, name] of names.entries())
      if (names.length > 1) found.push([name, names[(at + 1) % names.length]!])
  })
  return found
}

/** Numbers from 0 to 1 that a seed decides (mulberry32). */
function randomOf(seed: number) {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Draws as many of each kind as there are, up to `count` in all. */
export function drawn(candidates: readonly Defect[], seed: number, count: number): Defect[] {
  const random = randomOf(seed)
  const kinds = [...Map.groupBy(candidates, ({ kind }) => kind).values()]
  const result: Defect[] = []
  while (result.length < count && kinds.some((left) => left.length > 0))
    for (const left of kinds)
      if (left.length > 0 && result.length < count)
        result.push(...left.splice(Math.floor(random() * left.length), 1))
  return result
}
