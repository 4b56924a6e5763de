import { proposalsFor } from '../../server/appointments/proposals.ts'
import { db } from '../../server/context.ts'
import { afterRefusal } from '../after-refusal.ts'
import { useRefreshIn } from '../calls/refresh-in.ts'
import type { Route } from './+types/videocall.ts'
import { AfterCall } from './after-call.tsx'
import { ownAction } from './own-action.ts'
import { OwnCall } from './own-call.tsx'
import { ownService } from './service-loader.ts'
import { ServicePage } from './service-page.tsx'

export const handle = { announcesUpdates: true }

export const shouldRevalidate = afterRefusal

export const loader = async ({ context }: Route.LoaderArgs) => {
  const page = await ownService(context, 'videocall')
  const [last] = page.active ? [] : page.past
  const missed = last?.isMissed && page.hindrance === null
  const slots = missed ? await proposalsFor(context.get(db), { ...last, municipality: null }, page.now) : []
  return { ...page, slots }
}

export const action = ({ request, context }: Route.ActionArgs) => ownAction(request, context, 'videocall')

export default function VideoCall({ loaderData: page, actionData }: Route.ComponentProps) {
  const { active, call, line, next, past, slots } = page
  useRefreshIn(call?.changesIn ?? null)
  return (
    <ServicePage
      page={page}
      result={actionData}
      current={active && call && <OwnCall id={active.id} call={call} result={actionData} />}
      last={past[0] && <AfterCall last={past[0]} slots={slots} next={next} line={line} />}
    />
  )
}
