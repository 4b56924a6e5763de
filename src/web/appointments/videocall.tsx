import { db } from '../../server/app/context.ts'
import { proposalsFor } from '../../server/appointments/proposals.ts'
import { callEntry } from '../../server/calls/queries.ts'
import { CallRoom } from '../calls/call-room.tsx'
import { afterRefusal } from '../lib/after-refusal.ts'
import { useStepFocus } from '../lib/navigation-focus.ts'
import { useRefreshIn } from '../lib/refresh-in.ts'
import { someone } from '../lib/someone.ts'
import { forms } from '../lib/submit.ts'
import type { Route } from './+types/videocall.ts'
import { AfterCall, MissedCall } from './after-call.tsx'
import { pageOf } from './agenda-paths.ts'
import { isUnfinished } from './appointment-card.tsx'
import { AskCallBack, OwnCall, WhileWaiting } from './own-call.tsx'
import { ownForms } from './own-forms.ts'
import { ownService } from './service-loader.ts'
import { ServicePage } from './service-page.tsx'

export const handle = { announcesUpdates: true }

export const shouldRevalidate = afterRefusal

/** What is booked and what was; with `?llamada`, while it is open, the way into the room. */
export const loader = async ({ context, url }: Route.LoaderArgs) => {
  const [database, actor] = [context.get(db), someone(context)]
  const page = await ownService(context, 'videocall')
  const { active, hindrance, now, past } = page
  const missed = !active && past[0]?.isMissed ? past[0] : null
  const canBook = missed && hindrance === null
  const asksIn = url.searchParams.has('llamada') && active
  return {
    ...page,
    isMissed: missed !== null,
    slots: canBook ? await proposalsFor(database, { ...missed, municipality: null }, now) : [],
    entry: asksIn ? await callEntry(database, actor, active.id, now) : null,
  }
}

export const action = forms(({ request, context }: Route.ActionArgs) =>
  ownForms(context, request, 'videocall'),
)

export default function VideoCall({ loaderData: page }: Route.ComponentProps) {
  const { active, call, entry, isMissed, line, now, past, slots } = page
  const own = active && call && { id: active.id, call, now }
  useRefreshIn(call?.changesIn ?? null)
  useStepFocus(entry && own ? 'room' : 'page')
  if (entry && own)
    return (
      <CallRoom
        entry={entry}
        backTo={pageOf.videocall}
        whileWaiting={<WhileWaiting {...own} />}
        noWay={<AskCallBack {...own} />}
      />
    )
  return (
    <ServicePage
      page={page}
      current={own ? <OwnCall {...own} /> : isMissed && <MissedCall slots={slots} />}
      last={past[0] && !isUnfinished(past[0]) && <AfterCall line={line} />}
    />
  )
}
