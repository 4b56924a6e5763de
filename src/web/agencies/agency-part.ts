import { useActionData } from 'react-router'
import type { Actor } from '../../domain/access/actor.ts'
import type { AgencySection } from '../../domain/agencies/agency.ts'
import type { agencyFor } from '../../server/agencies/agencies-queries.ts'
import type { Db } from '../../server/platform/database/client.ts'
import { useLastActionData } from '../ui/use-last-action-data.ts'

/** An agency as whoever looks at its page may see it: its terms are null for those who don't edit it. */
export type ShownAgency = NonNullable<Awaited<ReturnType<typeof agencyFor>>>

/** What a part of the page is read with: who asks, of which agency, and what its address narrows. */
export type PartAsked = { db: Db; actor: Actor; agency: ShownAgency; url: URL; now: Date }

/** What is shown this once, in answer to the form with that intent. */
export type ShownOnce = { intent: string; secret: string }

/** What is shown this once in answer to a form whose intent begins so ("keys."). */
export function useSecret(prefix: string): string | null {
  // It stays while the page reads itself again, and goes with it.
  const answer = useLastActionData<object | undefined>(useActionData())
  const shown = answer && 'secret' in answer ? (answer as ShownOnce) : null
  return shown?.intent.startsWith(prefix) ? shown.secret : null
}

/** The address of a part of an agency's page. */
export const agencySectionPath = (agencyId: string, section: AgencySection) =>
  `/admin/agency/${agencyId}?seccion=${section}`
