import path from 'node:path'
import { z } from 'zod'

/** Where photos are kept, in the environment. */
export const storageVariables = {
  /** Megabytes of the disk that uploads leave free; by default a gigabyte, or a twentieth of a smaller one. */
  DISK_RESERVE_MB: z.coerce.number().int().min(0).optional(),
  S3_BUCKET: z.string().min(3).optional(),
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_REGION: z.string().trim().min(1).default('us-east-1'),
  S3_ACCESS_KEY_ID: z.string().min(1).optional(),
  S3_SECRET_ACCESS_KEY: z.string().min(1).optional(),
}

type Values = z.output<z.ZodObject<typeof storageVariables>> & { DATA_DIR: string }

export type Folder = { folder: string; reserve?: number }

export type Storage = Folder | { s3: Bucket }

export type Bucket = {
  bucket: string
  endpoint: string | null
  region: string
  accessKeyId: string
  secretAccessKey: string
}

/** The same, checked together: a bucket, or else a folder beside the rest of the data. */
export function storageOf(env: Values): Storage {
  const { S3_BUCKET: bucket, S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = env
  if (bucket && accessKeyId && secretAccessKey)
    return {
      s3: { bucket, accessKeyId, secretAccessKey, endpoint: env.S3_ENDPOINT ?? null, region: env.S3_REGION },
    }
  if (bucket || accessKeyId || secretAccessKey || env.S3_ENDPOINT)
    throw new Error(
      'Storing files in S3 needs S3_BUCKET, S3_ACCESS_KEY_ID and S3_SECRET_ACCESS_KEY together.',
    )
  const { DISK_RESERVE_MB: megabytes } = env
  return {
    folder: path.resolve(env.DATA_DIR, 'files'),
    ...(megabytes !== undefined && { reserve: megabytes * 2 ** 20 }),
  }
}
