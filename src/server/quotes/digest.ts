import { createHash } from 'node:crypto'
import type { QuoteContent } from '../../domain/quotes/content.ts'
import type { AddressSnapshot } from '../platform/database/schema/project-schema.ts'

/** What a customer is sent, whole. */
export type Offered = {
  folio: string
  revision: number
  addressee: string
  address: AddressSnapshot | null
  content: QuoteContent
}

/** The SHA-256 of what was offered, in hexadecimal: of its JSON with every object's keys in order and nothing between them. */
export const digestOf = ({ address, addressee, content, folio, revision }: Offered): string =>
  createHash('sha256')
    .update(JSON.stringify(inOrder({ folio, revision, addressee, address, content })))
    .digest('hex')

/** PostgreSQL keeps the keys of an object in an order of its own. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([, one]) => one !== undefined)
  return Object.fromEntries(
    entries.sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, one]) => [key, inOrder(one)]),
  )
}
