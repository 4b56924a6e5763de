import type { data, RouterContextProvider } from 'react-router'
import type { Actor } from '../../domain/actor.ts'
import type { AgencySection } from '../../domain/agency-section.ts'
import type { agencyFor } from '../../server/agencies/queries.ts'
import type { Db } from '../../server/database/database.ts'
import type { FormWithFiles } from '../documents/form-with-files.ts'
import type { Failure } from '../submit.ts'
import type { FormResult } from '../ui/form.tsx'

/** An agency as whoever looks at its page may see it: its terms are null for those who don't edit it. */
export type ShownAgency = NonNullable<Awaited<ReturnType<typeof agencyFor>>>

/** What a part of the page is read with: who asks, of which agency, and what its address narrows. */
export type PartAsked = { db: Db; actor: Actor; agency: ShownAgency; url: URL; now: Date }

/** A form of one part of the page, from somebody who edits agencies; `here` is the address of that part. */
export type PartForm = Omit<PartAsked, 'url'> & {
  context: Readonly<RouterContextProvider>
  sent: FormWithFiles
  here: string
}

/** What is shown this once, in answer to the form with that intent. */
export type ShownOnce = { intent: string; secret: string }
export type PartAnswer = Promise<
  Response | ReturnType<typeof data<Failure>> | ReturnType<typeof data<ShownOnce>>
>
/** What the page hears back of a form: why it was not accepted, or what is shown this once. */
export type Heard = Failure | ShownOnce | undefined

/** Why a form was not accepted whose intent begins so ("codes."); undefined when the answer is not of that part. */
export const failureOf = (heard: Heard, prefix: string): FormResult | undefined =>
  heard && 'errors' in heard && sentAs(heard, 'intent').startsWith(prefix) ? heard : undefined

/** What is shown this once in answer to a form whose intent begins so. */
export const secretOf = (heard: Heard, prefix: string): string | null =>
  heard && 'secret' in heard && heard.intent.startsWith(prefix) ? heard.secret : null

/** What a refused form said under a name; empty when it said nothing. */
export const sentAs = ({ values }: Failure, name: string) =>
  (values as Partial<Record<string, string>>)[name] ?? ''

/** The address of a part of an agency's page. */
export const sectionPath = (agencyId: string, section: AgencySection) =>
  `/admin/agency/${agencyId}?seccion=${section}`
