import type { Actor, StaffKind } from '../access/actor.ts'

/** What an account may send in an hour: pictures and papers, and all their kilobytes. */
export type UploadShare = { files: number; kilobytes: number }

const megabyte = 1024
const gigabyte = 1024 * megabyte

/** Documents of 5 to 12 MB, two for each invoice: the most that one person uploads in an hour. */
const desk: UploadShare = { files: 600, kilobytes: 4 * gigabyte }

const ofStaff: Record<StaffKind, UploadShare> = {
  manager: desk,
  analyst: desk,
  gester: desk,
  // A phone that was three days without a network sends everything at once: six visits a day with 40 pictures each, some
  // taken twice. At most 12 MB each, mostly four.
  tecnician: { files: 1_500, kilobytes: 10 * gigabyte },
  // They hand in nothing.
  alliate: { files: 10, kilobytes: 30 * megabyte },
}

/** A proof for each payment, the Constancia, the permit and CFE's papers, each tried several times. */
const customer: UploadShare = { files: 60, kilobytes: 200 * megabyte }
/** Such an account is created in seconds, so its share is small: the Constancia and some photos, sent twice. */
const unproved: UploadShare = { files: 10, kilobytes: 40 * megabyte }

/** The upload share of an account. */
export function uploadShareOf(actor: Actor): UploadShare {
  if (actor.role === 'staff') return ofStaff[actor.kind]
  return actor.emailVerified ? customer : unproved
}
