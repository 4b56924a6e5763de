import path from 'node:path'
import type { Source } from './architecture.ts'

/** Names and places of files in documents. What they stand for is looked for from the root, from src, and by their ends. */

const isDocument = ({ file }: Source) => /^(README|CONTRIBUTING)\.md$|^(docs|deploy)\/.*\.md$/.test(file)
const codeFile = /^[\w@][\w@.-]*(\/[\w@.$-]+)*\.(tsx?|mjs|sql|css)$/
const anyPath = /^\.?[\w@-][\w@.-]*(\/[\w@.$-]+)*\/?$/

/** What a document names in its code, and what it links to. */
function namedPaths({ text }: Source, tops: ReadonlySet<string>): { named: string[]; linked: string[] } {
  const spans = text.match(/```[\s\S]*?```|`[^`\n]+`/g) ?? []
  const words = spans.flatMap((span) => span.split(/[\s`'"(),;:]+/)).map((word) => word.replace(/\.$/, ''))
  const isNamed = (word: string) =>
    codeFile.test(word) || (anyPath.test(word) && word.includes('/') && tops.has(word.split('/')[0]!))
  const links = [...text.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)].map(([, to]) => to!)
  return { named: words.filter(isNamed), linked: links.filter((to) => !/^(\w+:|\/)/.test(to)) }
}

/** What a document names that does not exist, or that may be one of several. */
export function wrongPaths(files: readonly Source[]): string[] {
  const all = new Set(files.flatMap(({ file }) => [file, ...foldersOf(file)]))
  const tops = new Set([...all].flatMap((one) => one.match(/^(?:src\/)?([^/]+)/)?.[1] ?? []))
  const ends = new Map<string, number>()
  for (const one of all) for (const end of endsOf(one)) ends.set(end, (ends.get(end) ?? 0) + 1)
  const isOne = (name: string) => all.has(name) || all.has(`src/${name}`) || ends.get(name) === 1
  const found = files.filter(isDocument).flatMap((document) => {
    const { named, linked } = namedPaths(document, tops)
    const wrong = [
      ...named.filter((name) => !isOne(name.replace(/\/$/, ''))),
      ...linked.filter((to) => !all.has(path.join(path.dirname(document.file), to).replace(/\/$/, ''))),
    ]
    return wrong.map((name) => `${document.file}: ${name}`)
  })
  return [...new Set(found)]
}

/** What a section of a document says twice: rows of tables and points that begin alike, as a merge leaves them. */
export function saidTwice(files: readonly Source[]): string[] {
  const lived = files.filter((one) => isDocument(one) && !one.file.startsWith('docs/decisions/'))
  return lived.flatMap(({ file, text }) =>
    text.split(/^#+ /m).flatMap((section) => {
      const heads = [...section.matchAll(/^(?:\| *([^|\n]*\w[^|\n]*?) *\||- \*\*(.+?)\*\*)/gm)]
      const words = heads.map(([, row, point]) => row ?? point)
      return words.filter((word, at) => words.indexOf(word) < at).map((word) => `${file}: ${word}`)
    }),
  )
}

const foldersOf = (file: string): string[] =>
  file
    .split('/')
    .slice(0, -1)
    .map((_, at, folders) => folders.slice(0, at + 1).join('/'))

/** `b/c.ts` and `c.ts` of `a/b/c.ts`. */
const endsOf = (file: string): string[] => {
  const parts = file.split('/')
  return parts.slice(1).map((_, at) => parts.slice(at + 1).join('/'))
}
