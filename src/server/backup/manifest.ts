import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'

const file = z.object({
  path: z.string().regex(/^[^/\\]/),
  bytes: z.number().int().min(0),
  sha256: z.string().length(64),
})

const manifest = z.object({
  product: z.literal('carga-en-casa'),
  format: z.literal(1),
  at: z.iso.datetime(),
  /** `physical`: a copy of the embedded server's cluster, which the same major version of PostgreSQL opens; `dump`: pg_dump's own format. */
  kind: z.enum(['physical', 'dump']),
  /** Major version of PostgreSQL. */
  postgres: z.number().int(),
  /** Whether the key that signs sessions and seals secrets is inside; without it AUTH_SECRET has to be the same as before. */
  secret: z.boolean(),
  files: z.array(file),
})

export type BackedUpFile = z.infer<typeof file>
export type Manifest = z.infer<typeof manifest>

const nameOf = (folder: string) => path.join(folder, 'manifest.json')

/** Written last: a folder without it is no backup. */
export const writeManifest = (folder: string, made: Manifest) =>
  writeFile(nameOf(folder), `${JSON.stringify(made, null, 1)}\n`, { flush: true, mode: 0o600 })

/** What a backup says it holds; throws, in words, for a folder that is none. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(nameOf(folder), 'utf8').catch(() => null)
  if (text === null) throw new Error(`En ${folder} no hay un respaldo completo: le falta manifest.json`)
  try {
    return manifest.parse(JSON.parse(text))
  } catch {
    throw new Error(`El respaldo de ${folder} no se puede leer: su manifest.json está dañado`)
  }
}
