import { ChevronRight } from 'lucide-react'
import { redirectWithToast } from '../../kit/flash.ts'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { discardedJobs, settleStopped, stoppedJobs } from '../../platform/jobs/dead-letters.ts'
import { relative, shortDate } from '../../shared/format.ts'
import { Card } from '../../ui/card.tsx'
import { Link } from '../../ui/link.tsx'
import { editedTravelCount } from '../commands.ts'
import { type SettingsPage, settingsGroups, settingsPages, settingsPath } from '../rules/pages.ts'
import { stoppedJobsInput } from '../rules/schema.ts'
import { discardedDays } from '../rules/settings.ts'
import type { Route } from './+types/settings.ts'
import { configuring, readSettings } from './configuring.ts'
import { PageFrame } from './page-frame.tsx'
import { summaries } from './section-fields.ts'
import { StoppedJobs } from './stopped-jobs.tsx'
import { jobsPath } from './system-work.ts'

export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { db, actor, now } = signedIn(context)
    const [read, travelEdited, stopped, discarded] = await Promise.all([
      readSettings(context, null),
      editedTravelCount(db),
      stoppedJobs(db, actor),
      discardedJobs(db, actor),
    ])
    return {
      ...read,
      travelEdited,
      stopped: stopped.map(({ since, ...jobs }) => ({ ...jobs, since: relative(since, now) })),
      discarded: discarded.map(({ until, ...jobs }) => ({ ...jobs, until: shortDate(until) })),
    }
  })

export const action = forms(({ context }: Route.ActionArgs) => {
  const { db, actor } = configuring(context)
  return {
    'settings.jobs.retry': form(stoppedJobsInput, async ({ queue }) => {
      await settleStopped(db, actor, { queue, how: 'retry' })
      return redirectWithToast(jobsPath, 'Se intentan otra vez', 'Si alguna vuelve a fallar, la verás aquí.')
    }),
    'settings.jobs.discard': form(stoppedJobsInput, async ({ queue }) => {
      await settleStopped(db, actor, { queue, how: 'discard' })
      return redirectWithToast(
        jobsPath,
        'Descartaste las tareas detenidas',
        `Durante ${discardedDays} días las puedes traer de vuelta aquí.`,
      )
    }),
    'settings.jobs.restore': form(stoppedJobsInput, async ({ queue }) => {
      await settleStopped(db, actor, { queue, how: 'restore' })
      return redirectWithToast(jobsPath, 'Las trajimos de vuelta', 'Están como antes de descartarlas.')
    }),
  }
})

type Shown = Route.ComponentProps['loaderData']

/** Everything that can be configured, each in one line with its current values. */
export default function Settings({ loaderData }: Route.ComponentProps) {
  return (
    <PageFrame page={null} events={loaderData.events}>
      <StoppedJobs queues={loaderData.stopped} discarded={loaderData.discarded} />
      {settingsGroups.map(({ title, pages }) => (
        <Card key={title} title={title} className="gap-1">
          <ul className="-mx-2 grid">
            {pages.map((page) => (
              <Line key={page} page={page} data={loaderData} />
            ))}
          </ul>
        </Card>
      ))}
    </PageFrame>
  )
}

function Line({ page, data: { settings, travelEdited } }: { page: SettingsPage; data: Shown }) {
  return (
    <li>
      <Link
        to={settingsPath(page)}
        prefetch="intent"
        className="flex min-h-14 items-center gap-3 rounded-control p-2 hover:bg-hover"
      >
        <span className="grid min-w-0 flex-1">
          <span className="font-medium">{settingsPages[page].title}</span>
          <span className="text-[0.9375rem] text-mute wrap-anywhere">
            {summaries[page](settings, travelEdited)}
          </span>
        </span>
        <ChevronRight aria-hidden className="size-5 shrink-0 text-mute" />
      </Link>
    </li>
  )
}
