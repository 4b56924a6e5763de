import { z } from 'zod'
import { en } from 'zod/locales'

// What the three files of a Firebase project hold, as far as it is needed; whatever else is in them is passed over.
const authUser = z.object({
  localId: z.string().min(1),
  email: z.string().optional(),
  emailVerified: z.boolean().default(false),
  passwordHash: z.string().optional(),
  salt: z.string().optional(),
  disabled: z.boolean().default(false),
  createdAt: z.union([z.string(), z.number()]).optional(),
  providerUserInfo: z.array(z.object({ providerId: z.string(), rawId: z.string() })).default([]),
})

const text = z.string().nullish()

export const firebaseProfile = z.object({
  name: text,
  lastname: text,
  email: text,
  role: text,
  kind: text,
  agency: text,
  phone: z.union([z.string(), z.number()]).nullish(),
  active: z.boolean().nullish(),
  createdAt: z.unknown().optional(),
})

/** The file of `firebase auth:export`. */
export const authUsers = z.object({ users: z.array(authUser) })

/** The parameters of its hashes. */
export const hashParameters = z.object({
  signerKey: z.base64().min(8),
  saltSeparator: z.base64(),
  rounds: z.coerce.number().int().min(1).max(8),
  memCost: z.coerce.number().int().min(1).max(14),
})

/** A moment by its fields. */
export const timestampFields = z.object({ _seconds: z.number() }).or(z.object({ seconds: z.number() }))

/** A document that carries its uid. */
export const documentUid = z.object({ uid: z.string() }).or(z.object({ id: z.string() }))

export type AuthUser = z.infer<typeof authUser>

export type FirebaseProfile = z.infer<typeof firebaseProfile>

/** What a file holds; throws, in words, where it is not as expected. */
export function parsed<Shape extends z.ZodType>(shape: Shape, value: unknown, what: string): z.output<Shape> {
  const { data, error, success } = shape.safeParse(value, { error: en().localeError })
  if (success) return data
  const [first] = error.issues
  throw new Error(`The ${what} file is not as expected: ${first?.path.join('.')} (${first?.message})`)
}
