import path from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { layerOf } from '../layers.ts'
import type { Source } from './architecture.ts'
import { saidTwice, wrongPaths } from './document-paths.ts'

/**
 * The checks of the house, over files by their paths from the root of the repository. Each returns what breaks it: a
 * path or a name, as often as it does.
 */
export type Check = {
  find: (files: readonly Source[]) => string[]
  bad: readonly Source[]
  good: readonly Source[]
}

const nouns =
  'accounts users projects appointments scheduling calls reports quotes payments invoices agencies cfe settings documents notifications customers dispatch privacy'.split(
    ' ',
  )
/** The folders that are no noun. */
const shared: Record<string, readonly string[]> = {
  src: ['shared', 'access', 'app', 'platform', 'integrations', 'kit', 'ui', 'photos', 'offline'],
  // Builders of tests and what runs them; attacks on every action at once; the demo fixture; the files of deploy/.
  test: [
    'kit',
    'security',
    'seeds',
    'deploy',
    'access',
    'app',
    'integrations',
    'lib',
    'offline',
    'photos',
    'platform',
    'runner',
    'shared',
    'ui',
  ],
}
/** Where React Router looks for them; and tests of what belongs to no noun. */
const loose = /^src\/(root|routes|entry\.(client|server))\.tsx?$|^test\//
const isCode = ({ file }: Source) => /\.(tsx?|mjs)$/.test(file)
const inSource = (source: Source) => source.file.startsWith('src/') && isCode(source)
const layerAt = (file: string) => layerOf(file.replace('src/', ''))
const lines = ({ text }: Source) => text.split('\n').length - 1
const isSchema = (file: string) => /(^|\/|-)schema\.ts$/.test(file)
/** Read once, when the server starts: no browser comes near. */
const isEnvironment = (file: string) => layerAt(file) === 'server' && /(\/|-)env\.ts$/.test(file)
const fileOf = (file: string, count: number): Source => ({ file, text: 'x\n'.repeat(count) })

function outsideNouns(files: readonly Source[]): string[] {
  const found = new Set<string>()
  for (const { file } of files) {
    const room = Object.keys(shared).find((name) => file.startsWith(`${name}/`))
    if (!room) continue
    const [folder, ...rest] = file.slice(room.length + 1).split('/')
    if (rest.length === 0) loose.test(file) || found.add(file)
    else if (![...nouns, ...shared[room]!].includes(folder!)) found.add(`${room}/${folder}`)
  }
  return [...found]
}

const mostFiles = 30
const mostLines = 400

function tooLarge(files: readonly Source[]): string[] {
  const held = new Map<string, number>()
  for (const { file } of files) {
    const folder = path.dirname(file)
    // Migrations are never merged nor moved: their folder grows with each.
    if (/^(src|test|e2e|seeds|tools)\b/.test(folder) && !folder.endsWith('/migrations'))
      held.set(folder, (held.get(folder) ?? 0) + 1)
  }
  const folders = [...held].filter(([, count]) => count > mostFiles).map(([folder]) => folder)
  const long = files.filter((source) => isCode(source) && lines(source) > mostLines)
  return [...folders, ...long.map(({ file }) => file)]
}

type Import = { to: string; type: boolean; lazy: boolean }
type Module = Source & { imports: readonly Import[]; exports: readonly string[] }
const parsed = new WeakMap<Source, Module>()

/** What a module of src imports, and the names that it declares and exports: what it passes on is not its own. */
function moduleOf(source: Source): Module {
  const known = parsed.get(source)
  if (known) return known
  const { errors, module } = parseSync(source.file, source.text)
  if (errors.length > 0) throw new Error(`${source.file}: ${errors[0]!.message}`)
  const to = (specifier: string) =>
    specifier.startsWith('.') ? path.join(path.dirname(source.file), specifier) : specifier
  const isType = (entries: readonly { isType: boolean }[]) =>
    entries.length > 0 && entries.every((entry) => entry.isType)
  const entries = module.staticExports.flatMap((one) => one.entries)
  const imports = [
    ...module.staticImports.map((one) => ({
      to: to(one.moduleRequest.value),
      type: isType(one.entries),
      lazy: false,
    })),
    ...entries.flatMap((one) =>
      one.moduleRequest ? [{ to: to(one.moduleRequest.value), type: one.isType, lazy: false }] : [],
    ),
    ...module.dynamicImports.map(({ moduleRequest: { start, end } }) => ({
      to: to(source.text.slice(start, end).replace(/^['"`]|['"`]$/g, '')),
      type: false,
      lazy: true,
    })),
  ]
  const exports = entries.flatMap((one) =>
    one.exportName.name && !one.moduleRequest ? [one.exportName.name] : [],
  )
  const result = { ...source, imports, exports: [...new Set(exports)] }
  parsed.set(source, result)
  return result
}

const modulesOf = (files: readonly Source[]) => files.filter(inSource).map(moduleOf)

/** The modules that src/routes.ts names: paths from the folder it stands in. */
const routesIn = (files: readonly Source[]) =>
  files
    .filter(({ file }) => file === 'src/routes.ts')
    .flatMap(({ file, text }) =>
      [...text.matchAll(/'([^']+\.tsx?)'/g)].map(([, to]) => path.join(path.dirname(file), to!)),
    )

const mostLinesOfHelper = 60

function helpersOfOne(files: readonly Source[]): string[] {
  const importers = new Map<string, Set<string>>()
  const apart = new Set(routesIn(files))
  for (const { file, imports } of modulesOf(files))
    for (const { to, lazy } of imports) {
      if (lazy) apart.add(to)
      importers.set(to, (importers.get(to) ?? new Set()).add(file))
    }
  return files
    .filter((source) => inSource(source) && lines(source) <= mostLinesOfHelper)
    .map(({ file }) => file)
    .filter((file) => {
      const [only, another] = importers.get(file) ?? []
      return (
        only && !another && path.dirname(only) === path.dirname(file) && !apart.has(file) && !isSchema(file)
      )
    })
}

const importsZod = (files: readonly Source[]) =>
  modulesOf(files)
    .filter(({ imports }) => imports.some(({ to, type }) => !type && /^zod(\/|$)/.test(to)))
    .map(({ file }) => file)
    .filter((file) => !isSchema(file) && !isEnvironment(file))

/** What React Router asks of a route's module, by name. */
const vocabulary = new Set(
  'loader clientLoader action clientAction meta handle links headers middleware clientMiddleware shouldRevalidate ErrorBoundary HydrateFallback Layout'.split(
    ' ',
  ),
)

/** Each name as often as modules export it, when several do. */
function namesOfSeveral(files: readonly Source[]): string[] {
  const names = modulesOf(files).flatMap((module) => module.exports.filter((name) => !vocabulary.has(name)))
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return names.filter((name) => counts.get(name)! > 1)
}

/** The modules on a way of imports, those of types included, that leads back to itself (Tarjan's components). */
function inCircles(files: readonly Source[]): string[] {
  const next = new Map(modulesOf(files).map(({ file, imports }) => [file, imports.map(({ to }) => to)]))
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const open: string[] = []
  const found: string[] = []
  const visit = (file: string) => {
    index.set(file, index.size)
    low.set(file, index.get(file)!)
    open.push(file)
    for (const to of next.get(file) ?? []) {
      if (!next.has(to)) continue
      if (!index.has(to)) visit(to)
      if (open.includes(to)) low.set(file, Math.min(low.get(file)!, low.get(to)!))
    }
    if (low.get(file) !== index.get(file)) return
    const component = open.splice(open.indexOf(file))
    if (component.length > 1) found.push(...component)
  }
  for (const file of next.keys()) if (!index.has(file)) visit(file)
  return found
}

type Node = { type: string; [key: string]: unknown }

/** `...{ a, b }` in an object or an element, `...[a, b]` in a list: written so that the formatter keeps them on a line. */
function isLiteralSpread({ type, argument, typeAnnotation }: Node): boolean {
  if (type === 'TSRestType') return (typeAnnotation as Node).type === 'TSTupleType'
  const { type: what, properties, elements } = argument as Node
  if (what === 'ArrayExpression') return (elements as unknown[]).every((one) => one !== null)
  if (what !== 'ObjectExpression') return false
  // An element has no other way to say a computed name.
  const isPlain = (one: Node) => one.type !== 'Property' || !one.computed
  return type === 'SpreadElement' || (properties as Node[]).every(isPlain)
}

function literalSpreads(files: readonly Source[]): string[] {
  const found: string[] = []
  for (const source of files.filter((one) => isCode(one) && /\.\.\.\s*[{[]/.test(one.text))) {
    const see = (node: object) => {
      if (isLiteralSpread(node as Node)) found.push(source.file)
    }
    const { program } = parseSync(source.file, source.text)
    new Visitor({ SpreadElement: see, JSXSpreadAttribute: see, TSRestType: see }).visit(program)
  }
  return found
}

/** Two quoted words or more after `in (` or `any(array[`. */
const stateList = /(?:\bin\s*\(|\bany\s*\(\s*array\s*\[)\s*'[\w-]+'\s*,\s*'[\w-]+'/gi

function statesInSql(files: readonly Source[]): string[] {
  const found: string[] = []
  for (const source of files.filter((one) => inSource(one) && /\bin\s*\(|\barray\s*\[/i.test(one.text))) {
    const see = (text: string) => found.push(...[...text.matchAll(stateList)].map(() => source.file))
    new Visitor({
      Literal({ value }) {
        if (typeof value === 'string') see(value)
      },
      // A value in its place is no quoted word.
      TemplateLiteral({ quasis }) {
        see(quasis.map((one) => one.value.raw).join(' ? '))
      },
    }).visit(parseSync(source.file, source.text).program)
  }
  return found
}

const kindsAndRoles = new Set<unknown>([
  'manager',
  'analyst',
  'tecnician',
  'gester',
  'alliate',
  'customer',
  'staff',
])
const isActorsField = (node: Node): boolean => {
  if (node.type === 'ChainExpression') return isActorsField(node.expression as Node)
  const { name } = (node.type === 'MemberExpression' ? node.property : node) as Node
  return name === 'kind' || name === 'role'
}

/** `actor.kind === 'manager'` apart from the rules: a right has a name in the rules. */
function comparedKinds(files: readonly Source[]): string[] {
  const found: string[] = []
  const isRead = ({ file, text }: Source) =>
    file.startsWith('src/') &&
    layerAt(file) !== 'rules' &&
    /\b(kind|role)\b\s*[!=]=|[!=]=\s*[\w.?]*\b(kind|role)\b/.test(text)
  for (const source of files.filter((one) => isCode(one) && isRead(one)))
    new Visitor({
      BinaryExpression({ left, operator, right }) {
        const one = left as unknown as Node
        const other = right as unknown as Node
        const isOf = (field: Node, word: Node) => isActorsField(field) && kindsAndRoles.has(word.value)
        if (/^[!=]==?$/.test(operator) && (isOf(one, other) || isOf(other, one))) found.push(source.file)
      },
    }).visit(parseSync(source.file, source.text).program)
  return found
}

const code = (file: string, text: string): Source => ({ file, text })

export const checks: Record<string, Check> = {
  'folders of a room are the closed list of nouns, and the shared places': {
    find: outsideNouns,
    bad: [code('src/tasks/a.ts', '')],
    good: [code('src/payments/screens/a.ts', ''), code('src/shared/money.ts', '')],
  },
  'no folder holds more than 30 files, no file more than 400 lines': {
    find: tooLarge,
    bad: [fileOf('src/ui/a.tsx', mostLines + 1)],
    good: Array.from({ length: mostFiles }, (_, at) => fileOf(`src/ui/${at}.tsx`, mostLines)),
  },
  'a helper of one neighbour lives in that neighbour': {
    find: helpersOfOne,
    bad: [code('src/ui/a.ts', "import { b } from './b.ts'\n"), fileOf('src/ui/b.ts', mostLinesOfHelper)],
    good: [
      code('src/ui/a.ts', "import './b.ts'\nimport './schema.ts'\nimport('./c.ts')\nimport './d.ts'\n"),
      fileOf('src/ui/b.ts', mostLinesOfHelper + 1),
      ...['schema', 'c', 'd'].map((name) => fileOf(`src/ui/${name}.ts`, 1)),
      code('src/payments/screens/e.ts', "import '../../ui/d.ts'\nimport '../../kit/f.ts'\n"),
      fileOf('src/kit/f.ts', 1),
    ],
  },
  'zod is imported by schema.ts only': {
    find: importsZod,
    bad: [code('src/quotes/rules/quote.ts', "import { z } from 'zod'\n")],
    good: [
      code('src/quotes/rules/schema.ts', "import { z } from 'zod'\n"),
      code('src/kit/forms.ts', "import type { z } from 'zod'\n"),
    ],
  },
  'an exported name means one thing': {
    find: namesOfSeveral,
    bad: [code('src/a.ts', 'export const place = 1\n'), code('src/app/b.ts', 'export type place = 1\n')],
    good: [
      code('src/a.ts', 'export const place = 1\nexport type place = 1\nexport const loader = 1\n'),
      code('src/b.ts', "export { place } from './a.ts'\nexport const loader = 1\n"),
    ],
  },
  'no circle, types included': {
    find: inCircles,
    bad: [
      code('src/a.ts', "import type { b } from './b.ts'\n"),
      code('src/b.ts', "import { c } from './c.ts'\n"),
      code('src/c.ts', "export type { a } from './a.ts'\n"),
    ],
    good: [
      code('src/a.ts', "import './b.ts'\nimport './c.ts'\n"),
      code('src/b.ts', "import './c.ts'\n"),
      code('src/c.ts', "import './gone.ts'\n"),
    ],
  },
  'no literal spread dodges the formatter': {
    find: literalSpreads,
    bad: [code('src/a.tsx', 'const a = <A {...{ b, c: 1 }} />\n')],
    good: [
      code('src/a.tsx', 'const a = <A {...b} {...{ [c]: 1 }} />\nconst d = [...(e ? [1] : []), ...f]\n'),
    ],
  },
  'SQL lists no states': {
    find: statesInSql,
    bad: [code('src/app/a.ts', "const a = sql`where state not in ('requested', 'assigned')`\n")],
    good: [
      code(
        'src/app/a.ts',
        `const a = sql\`where state in (\${open}) or kind in ('visit')\` // in ('a', 'b')\n`,
      ),
    ],
  },
  'a kind or role of a user is compared with a word in the rules only': {
    find: comparedKinds,
    bad: [code('src/app/a.ts', "const a = who?.role !== 'customer'\n")],
    good: [
      code('src/app/a.ts', "const a = invoice.kind === 'income' || side === 'customer'\n"),
      code('src/users/rules/a.ts', "const a = who.kind === 'manager'\n"),
    ],
  },
  'every path that a document names exists, and is one': {
    find: wrongPaths,
    bad: [
      code('docs/a.md', 'See `mail/send.ts`.'),
      code('src/a/mail/send.ts', ''),
      code('src/b/mail/send.ts', ''),
    ],
    good: [
      code('docs/a.md', 'See `mail/send.ts`, `deliver.ts`, [b](b.md), `*-schema.ts` and `/admin/a.ts`.'),
      code('docs/b.md', '`src/mail/` and `web/`, `test/mail`'),
      code('src/mail/send.ts', ''),
      code('src/a.ts', ''),
      code('test/mail/deliver.ts', ''),
    ],
  },
  'no section of a document says a thing twice': {
    find: saidTwice,
    bad: [code('docs/a.md', '## B\n\n| one | two |\n| --- | --- |\n| c | d |\n| c | e |\n')],
    good: [code('docs/a.md', '- **B.** c\n- **D.** c\n\n## E\n\n- **B.** c\n\n| – | f |\n| – | g |\n')],
  },
}
