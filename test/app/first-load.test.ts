import { globSync, readFileSync } from 'node:fs'
import { type BuiltFile, laterFiles, routeFiles, sumOf } from '../../bench/route-files.ts'
import { screens } from '../../src/access/rules/routes.ts'
import { sourcesOf } from '../sources.ts'

/** Compressed bytes of script and style that a screen's first load may bring (decision 0103). */
const budget = 176_000
/**
 * Over it, for what they carry to work without a network: no other screen joins them. They grow with the list of
 * screens and with the styles of all, which come with every page.
 */
const over: Record<string, number> = {
  '/admin/appointments-pending/:id': 194_400,
  '/admin/appointments-done/:id': 190_600,
}
const routes = routeFiles()
const typed = ({ path }: { path: string }) => path.replaceAll(/:\w+/g, '{id}')

const biggest = (files: readonly BuiltFile[]) =>
  files.slice(0, 8).map(({ name, bytes }) => `${(bytes / 1000).toFixed(1)} kB ${name}`)

test.each(routes.filter(({ path }) => !/\.csv$/.test(path)))(
  '$path loads no more bytes than its budget',
  ({ files, path }) => {
    const bytes = sumOf(files)
    expect({ bytes, over: bytes > (over[path] ?? budget) ? biggest(files) : [] }).toEqual({ bytes, over: [] })
  },
)

test('every built screen of the specification is measured', () => {
  const known = new Set(routes.map(typed))
  for (const { path, module } of screens) if (!module) expect(known).toContain(path)
  expect(known).toContain('/signin')
})

test('a technician’s phone keeps first what each of its screens loads', () => {
  const [first] = readFileSync('build/client/sw.js', 'utf8').split('rest:[')
  for (const { files, path } of routes)
    if (/^\/admin(\/account|\/appointments-pending|.*(pending|done)\/:id)?$/.test(path))
      for (const { name } of files) expect(first, path).toContain(name)
})

test('offline work of technicians loads after the screen, and is small', () => {
  const theirs = screens.filter(({ access }) => access.kind === 'staff' && access.kinds.includes('tecnician'))
  for (const route of routes.filter((one) => theirs.some(({ path }) => path === typed(one))))
    expect(sumOf(laterFiles('onsite-strip', route.files)), route.path).toBeLessThan(15_400)
})

test('no screen loads the validator of forms, the charts or a call before it needs them', () => {
  for (const { path, files } of routes)
    for (const { name } of files)
      expect(name, path).not.toMatch(/\/(zod|BarChart|call-screens|toast-area|menu-sheet|search-window)-/)
})

test('no element has a class that the styles leave out', () => {
  const [, left = ''] =
    /@source not inline\("\{(.+)\}"\)/.exec(readFileSync('src/app/screens/app.css', 'utf8')) ?? []
  const names = left.split(',')
  expect(names).toContain('italic')
  const used = sourcesOf('screens')
    .filter(({ file }) => file.endsWith('.tsx'))
    .flatMap(({ text: source }) =>
      [...source.matchAll(/(?:className=\{?|classNames\()[^>;]*/g)].flatMap(([text]) =>
        [...text.matchAll(/["'`]([^"'`]*)["'`]/g)].flatMap(([, classes]) => classes!.split(/\s+/)),
      ),
    )
  expect(used).toContain('min-h-11')
  expect(names.filter((name) => used.includes(name))).toEqual([])
  const styles = globSync('build/client/assets/*.css').map((file) => readFileSync(file, 'utf8'))
  const isMissing = (name: string) => !styles.join().includes(`.${name.replaceAll(':', '\\:')}`)
  const coloured = used.filter((name) => /^([a-z-]+:)*(text|bg|border|fill|stroke)-[a-z-]+$/.test(name))
  expect(coloured).toContain('text-brand')
  expect(new Set(coloured.filter(isMissing))).toEqual(new Set())
})
