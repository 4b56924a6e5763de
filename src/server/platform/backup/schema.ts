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

export const secondManifest = z.object({ ...common, format: z.literal(2), key: key.nullable() })

/** With the key in clear, and without a digest of the list itself. */
export const firstManifest = z.object({ ...common, format: z.literal(1), secret: z.boolean() })

export type BackedUpFile = z.infer<typeof file>

export type BackedUpKey = z.infer<typeof key>

export type NewManifest = z.infer<typeof secondManifest>

/** What a backup of either format says of itself. */
export type Manifest = Omit<NewManifest, 'format' | 'key'> & { key: BackedUpKey | { kept: 'plain' } | null }

/** The key, encrypted by a passphrase. */
export const sealedKey = z.object({ salt: z.string(), sealed: z.string() })

/** Of a backup of any version. */
export const anyFormat = z.object({ format: z.number() })

/** What the newest backup left beside all of them: when it was made. */
export const lastBackup = z.object({ at: z.iso.datetime({ offset: true }), ok: z.boolean() })
