import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'

/** Every parameter that some screen asks its address for, or that a filter's schema names. */
export const asked = ['src/web', 'src/server']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((file) => path.join(folder, file)),
  )
  .filter((file) => /\.tsx?$/.test(file))
  .flatMap((file) => [...readFileSync(file, 'utf8').matchAll(/searchParams\.get\('(\w+)'\)/g)])
  .map(([, name]) => name!)
