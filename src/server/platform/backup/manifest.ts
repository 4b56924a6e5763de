import { createHash } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'zod'

const file = z.object({
  path: z.string().regex(/^[^/\\]/),
  bytes: z.number().int().min(0),
  sha256: z.string().length(64),
})

const common = {
  product: z.literal('carga-en-casa'),
  at: z.iso.datetime(),
  /** `physical`: a copy of the embedded server's cluster, which the same major version of PostgreSQL opens; `dump`: pg_dump's own format. */
  kind: z.enum(['physical', 'dump']),
  /** Major version of PostgreSQL. */
  postgres: z.number().int(),
  files: z.array(file),
}

/** Of the key that signs sessions and seals secrets: which it was, and whether it is inside under a passphrase. */
const key = z.object({ print: z.string(), kept: z.enum(['sealed', 'apart']) })

const second = z.object({ ...common, format: z.literal(2), key: key.nullable() })
/** With the key in clear, and without a digest of the list itself. */
const first = z.object({ ...common, format: z.literal(1), secret: z.boolean() })
const newest = 2

export type BackedUpFile = z.infer<typeof file>
export type BackedUpKey = z.infer<typeof key>
export type NewManifest = z.infer<typeof second>
/** What a backup of either format says of itself. */
export type Manifest = Omit<NewManifest, 'format' | 'key'> & { key: BackedUpKey | { kept: 'plain' } | null }

export const manifestName = 'manifest.json'
const nameOf = (folder: string) => path.join(folder, manifestName)

/** Of everything that the manifest says, so that an entry that is gone with its file is noticed. */
const digestOf = (said: object) => createHash('sha256').update(JSON.stringify(said)).digest('hex')

/** Written last: a folder without it is no backup. */
export const writeManifest = (folder: string, made: NewManifest) => {
  const text = JSON.stringify({ ...made, digest: digestOf(made) }, null, 1)
  return writeFile(nameOf(folder), `${text}\n`, { flush: true, mode: 0o600 })
}

/** What a backup says it holds; throws, in words, for a folder that is none. */
export async function readManifest(folder: string): Promise<Manifest> {
  const text = await readFile(nameOf(folder), 'utf8').catch(() => null)
  if (text === null) throw new Error(`En ${folder} no hay un respaldo completo: le falta ${manifestName}`)
  const said = json(text)
  const { format } = z.object({ format: z.number() }).safeParse(said).data ?? {}
  if (format && format > newest)
    throw new Error(
      `El respaldo de ${folder} es de una versión más nueva del programa: restáuralo con esa, o con una posterior`,
    )
  const read = format === 1 ? ofFirst(said) : ofSecond(said)
  return (
    read ?? fail(`El respaldo de ${folder} no se puede leer: su ${manifestName} está dañado, o lo cambiaron`)
  )
}

function ofFirst(said: unknown): Manifest | null {
  const { data } = first.safeParse(said)
  return data ? { ...data, key: data.secret ? { kept: 'plain' } : null } : null
}

function ofSecond(said: unknown): Manifest | null {
  const { data } = second.safeParse(said)
  const { digest, ...rest } = Object(said) as { digest?: unknown }
  return data && digest === digestOf(rest) ? data : null
}

function fail(words: string): never {
  throw new Error(words)
}

function json(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
