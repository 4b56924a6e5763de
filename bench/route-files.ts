import { readdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'

const root = path.resolve(import.meta.dirname, '../build/client')

type Route = {
  id: string
  path?: string
  parentId?: string
  module: string
  imports: string[]
  css: string[]
}
type Manifest = { entry: Omit<Route, 'id' | 'path' | 'parentId'>; routes: Record<string, Route> }

/** One built file as a browser that takes brotli is sent it, in bytes. */
export type BuiltFile = { name: string; bytes: number }

/** Every route of the build that has a path, and the scripts and styles that its first load brings. */
export function routeFiles(): { path: string; files: BuiltFile[] }[] {
  const names = readdirSync(path.join(root, 'assets'))
  const name = names.find((file) => /^manifest-.*\.js$/.test(file))!
  const text = readFileSync(path.join(root, 'assets', name), 'utf8')
  const { entry, routes }: Manifest = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  return Object.values(routes).map((route) => {
    const named = new Set([`/assets/${name}`, ...filesOf(entry)])
    for (let one: Route | undefined = route; one; one = routes[one.parentId ?? ''])
      for (const file of filesOf(one)) named.add(file)
    return { path: `/${route.path ?? ''}`, files: [...named].map(measured).sort((a, b) => b.bytes - a.bytes) }
  })
}

/** What a piece that is fetched later brings with it, besides what is there already. */
export function laterFiles(name: string, there: readonly BuiltFile[]): BuiltFile[] {
  const first = readdirSync(path.join(root, 'assets')).find(
    (file) => file.startsWith(`${name}-`) && file.endsWith('.js'),
  )
  if (!first) throw new Error(`The build has no ${name}`)
  const found = new Set([first])
  for (const file of found)
    for (const [, next] of readFileSync(path.join(root, 'assets', file), 'utf8').matchAll(
      /(?:from|import)\s*["']\.\/([^"']+\.js)["']/g,
    ))
      found.add(next!)
  return [...found]
    .map((file) => measured(`/assets/${file}`))
    .filter(({ name }) => !there.some((one) => one.name === name))
}

/** The bytes of some files together. */
export const sumOf = (files: readonly BuiltFile[]) => files.reduce((sum, { bytes }) => sum + bytes, 0)

const filesOf = ({ module, imports = [], css = [] }: Partial<Route>) =>
  [...(module ? [module] : []), ...imports, ...css].map((file) => file.replace('#', ''))

const measured = (name: string): BuiltFile => ({ name, bytes: statSync(path.join(root, `${name}.br`)).size })
