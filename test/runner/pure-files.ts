import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'

const imports = /^(?:import|export)(?! type)[^']*'(\.[^']*)'|import\('(\.[^']*)'\)/gm

/** Whether a test file, or a helper of the tests that it imports, takes something only `test/runner/postgres.ts` or a build gives. */
function needsServer(file: string, seen: Set<string>): boolean {
  if (seen.has(file)) return false
  seen.add(file)
  const text = readFileSync(file, 'utf8')
  if (/\binject\(|\bbuild\/(server|client)|\bspawn\(|\bstartEmbedded\(/.test(text)) return true
  return [...text.matchAll(imports)]
    .map(([, from, loaded]) => path.join(path.dirname(file), from ?? loaded!))
    .filter((name) => !name.startsWith('src/') && /\.(ts|tsx)$/.test(name) && existsSync(name))
    .some((name) => needsServer(name, seen))
}

/** The test files that need no database, no server and no build. */
export const pureFiles = () =>
  globSync('test/**/*.test.{ts,tsx}').filter((file) => !needsServer(file, new Set()))
