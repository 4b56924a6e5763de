import path from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { type Layer, layerOf } from '../layers.ts'
import type { Source } from './architecture.ts'

/** A count over the files of the repository, and made-up files in which it is not zero. */
type Measure = { count: (files: readonly Source[]) => number; bad: readonly Source[] }

const piece =
  /\/\/[^\n]*|\/\*[\s\S]*?\*\/|`(?:\\[\s\S]|[^`\\])*`|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|[A-Za-z_$][\w$-]*|\d[\w.]*|=>|===|!==|\?\?|\?\.|&&|\|\||\.\.\.|[^\s\w]/g

/** Names, numbers, strings and signs. Comments do not count; a template literal counts word by word. */
function tokensOf({ text }: Source): number {
  let tokens = 0
  for (const [one] of text.matchAll(piece))
    if (one.startsWith('`')) tokens += one.match(/[\w$-]+|[^\s\w]/g)!.length - 1
    else if (!/^\/[/*]/.test(one)) tokens += 1
  return tokens
}

/** Assignments such as `const [a, b] = [1, 2]`. */
const tuplesOf = ({ text }: Source) => text.match(/^\s*(?:const|let) \[[^\]=]*,[^\]=]*\] = \[/gm)?.length ?? 0

const mostLinesOfFunction = 40

function longFunctionsOf({ file, text }: Source): number {
  let found = 0
  const see = ({ start, end }: { start: number; end: number }) => {
    if (text.slice(start, end).split('\n').length > mostLinesOfFunction) found += 1
  }
  const visitor = new Visitor({
    FunctionDeclaration: see,
    FunctionExpression: see,
    ArrowFunctionExpression: see,
  })
  if (/\.tsx?$/.test(file)) visitor.visit(parseSync(file, text).program)
  return found
}

/** Private words for what has a standard one (input, e-mail, report, company, fixture, test, the role of a person). */
const dialect = new Set(
  `wish wished wishes told retold said unsaid heard hear hears hearing unheard ears deaf house houses world worlds cast
  casts dice crew crews crowd letter letters sheet sheets story stories whoever whichever somebody anybody nobody nobodys
  anew afresh stranger strangers newcomer newcomers squatter thief leaver apology farewell greeted greeting tidy tidied
  beside besides meanwhile poison storm weather patience dearness borne spoilt beaten needless vain troubles manners
  unlawful lamp`.split(/\s+/),
)
const title = /\b(?:test|it|describe)(?:\.\w+)*(?:\([^()]*\))?\(\s*(['"`])((?:\\.|(?!\1)[\s\S])*)\1/g

/** Dialect in names, comments, titles of tests and the path. */
function dialectOf({ file, text }: Source): number {
  const named = text.match(piece)?.filter((one) => /^(?:[A-Za-z_$]|\/[/*])/.test(one)) ?? []
  const read = [file, ...named, ...[...text.matchAll(title)].map(([, , words]) => words)].join(' ')
  return (read.match(/[A-Z]?[a-z]+/g) ?? []).filter((word) => dialect.has(word.toLowerCase())).length
}

/** The layer of a file, by its path from the root. */
const layerAt = (file: string) => (file.startsWith('src/') ? layerOf(file.slice('src/'.length)) : null)

/** The pairs of nouns of which one imports the other in a layer; each twice where both do. */
function arrowsIn(layer: Layer, files: readonly Source[]): string[] {
  const folderOf = (file: string) => (layerAt(file) === layer ? /^src\/([^/]+)\//.exec(file)?.[1] : undefined)
  const arrows = files.flatMap(({ file, text }) =>
    [...(folderOf(file) ? text.matchAll(/\b(?:from|import)\s*\(?\s*'(\.[^']+)'/g) : [])].map(([, to]) => [
      folderOf(file),
      folderOf(path.join(path.dirname(file), to!)),
    ]),
  )
  const tied = new Set(arrows.filter(([from, to]) => to && to !== from).map((arrow) => arrow.join(' ')))
  return [...tied].map((arrow) => arrow.split(' ').toSorted().join(' '))
}

const isCounted = ({ file }: Source) =>
  /\.(tsx?|mjs|css|sql)$/.test(file) && !/\.d\.ts$|\/migrations\//.test(file)
/** Tests, and the programs that measure and document. */
const tests = 'test e2e test-slow bench load faults tools guide'.split(' ')

const over = (folders: string | readonly string[], of: (source: Source) => number, text: string): Measure => {
  const roots = [folders].flat()
  const isInside = ({ file }: Source) => roots.some((root) => file.startsWith(`${root}/`))
  return sumOf(isInside, of, { file: `${roots[0]}/a.ts`, text })
}

const sumOf = (
  isInside: (source: Source) => boolean,
  of: (source: Source) => number,
  bad: Source,
): Measure => ({
  count: (files) =>
    files.filter((one) => isCounted(one) && isInside(one)).reduce((sum, source) => sum + of(source), 0),
  bad: [bad],
})

const inDocuments = (folder: RegExp, of: (source: Source) => number): Measure => ({
  count: (files) => files.filter(({ file }) => folder.test(file)).reduce((sum, one) => sum + of(one), 0),
  bad: [{ file: 'docs/decisions/0001-a.md', text: 'A word.' }],
})

const tied = (layer: Layer, folder: string): Record<string, Measure> => {
  const bad = [
    { file: `src/a/${folder}a.ts`, text: `import '${path.relative(`a/${folder}`, `b/${folder}b.ts`)}'\n` },
    { file: `src/b/${folder}b.ts`, text: `import('${path.relative(`b/${folder}`, `a/${folder}a.ts`)}')\n` },
  ]
  const all = (files: readonly Source[]) => arrowsIn(layer, files).length
  const pairs = (files: readonly Source[]) => new Set(arrowsIn(layer, files)).size
  return {
    [`${layer}: pairs of nouns tied by an import`]: { count: pairs, bad },
    [`${layer}: pairs of nouns tied both ways`]: { count: (files) => all(files) - pairs(files), bad },
  }
}

const long = `const a = () => {${'\n'.repeat(mostLinesOfFunction)}}\n`
const folders: Record<Layer, string> = { rules: 'rules/', server: '', screens: 'screens/' }
const inLayers = (what: string, of: (source: Source) => number, text: string) =>
  Object.fromEntries(
    Object.entries(folders).map(([layer, folder]) => [
      `${layer}: ${what}`,
      sumOf(({ file }) => layerAt(file) === layer, of, { file: `src/a/${folder}a.ts`, text }),
    ]),
  )

/** What is held in test/ratchets.ts, by name. */
export const measures: Record<string, Measure> = {
  ...inLayers('tokens', tokensOf, 'a'),
  'src: tokens': over('src', tokensOf, 'a'),
  'tests and tools: tokens': over(tests, tokensOf, 'a'),
  'src: files': over('src', () => 1, ''),
  'tests and tools: files': over(tests, () => 1, ''),
  ...tied('server', ''),
  ...tied('screens', 'screens/'),
  'src: functions over 40 lines': over('src', longFunctionsOf, long),
  'src: tuple assignments': over('src', tuplesOf, 'const [a, b] = [1, 2]'),
  'tests and tools: tuple assignments': over(tests, tuplesOf, 'const [a, b] = [1, 2]'),
  ...inLayers('dialect', dialectOf, '// A wish.'),
  'tests and tools: dialect': over(tests, dialectOf, "test('a story', b)"),
  'docs: decisions': inDocuments(/^docs\/decisions\/\d.*\.md$/, () => 1),
  // The guide is a text of the product, written by guide/.
  'docs: words': inDocuments(/^docs\/(?!guia\/).*\.md$/, ({ text }) => text.match(/\S+/g)?.length ?? 0),
}

/** Where a count is above its number, or so far below that the number has to follow: each with the line to write. */
export function differences(counted: Record<string, number>, held: Record<string, number>): string[] {
  return Object.keys({ ...held, ...counted }).flatMap((name) => {
    const now = counted[name] ?? 0
    const most = held[name] ?? 0
    if (now <= most && now >= most * 0.99) return []
    const rule = now > most ? 'grew (raise it only once, in the last commit of an issue)' : 'fell (lower it)'
    const line = `'${name}': ${String(now).replace(/\B(?=(\d{3})+$)/g, '_')},`
    return `${name}: ${most} → ${now} ${rule}. test/ratchets.ts: ${line}`
  })
}
