import { House } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useCallback, useEffect, useId } from 'react'
import { type MiddlewareFunction, Outlet, redirect, useLocation, useMatches, useParams } from 'react-router'
import { isCustomer, isTechnician } from '../../../access/rules/actor.ts'
import { ownHomes } from '../../../customers/overview.ts'
import { dueFirst, dueMark } from '../../../customers/rules/customer-home.ts'
import { stayWith, whenRefused } from '../../../kit/flash.ts'
import { Form } from '../../../kit/form/form.tsx'
import { CleanFrame } from '../../../kit/frame/clean-frame.tsx'
import { useLive } from '../../../kit/live.ts'
import { screenOf } from '../../../kit/refusals-as-responses.ts'
import { requestOf } from '../../../kit/request.ts'
import { unlessSectionChange } from '../../../kit/section-change.ts'
import { useMarker } from '../../../kit/site.ts'
import { isKeptPath } from '../../../offline/kept-pages.ts'
import { markerOf } from '../../../platform/http/cookies.ts'
import { positionOf } from '../../../platform/live/announcements.ts'
import {
  homeIsOver,
  meantProject,
  otherHomeIn,
  otherHomeParam,
  projectParam,
  withProject,
} from '../../../projects/rules/homes.ts'
import { dayOf, toDate, toMinutes } from '../../../shared/calendar.ts'
import { keptAt } from '../../../shared/format.ts'
import { Refusal } from '../../../shared/refusal.ts'
import { classNames } from '../../../ui/class-names.ts'
import { useHydrated } from '../../../ui/hydrated.ts'
import { LinkAddress } from '../../../ui/link.tsx'
import { ErrorScreen } from '../problem.tsx'
import type { Route } from './+types/internal.ts'
import { InternalFrame } from './internal-frame.tsx'
import { isMenuFolded, personOf } from './sidebar.tsx'

/** Also for a path that the guard does not know: nothing in this layout is for signed-out users (specification §2). */
const onlySignedIn: MiddlewareFunction<Response> = ({ context }) => {
  if (!requestOf(context).actor) throw redirect('/signin')
}

/**
 * Which project a customer's page or form is about, where they have several: the one that its address names. An address
 * without one is completed with the one where most is due; a form without one goes on, and what needs it refuses.
 */
const aboutProject: MiddlewareFunction<Response> = async ({ context, request, url }) => {
  const sent = requestOf(context)
  const { actor: viewer, db, openProjects: open } = sent
  if (!isCustomer(viewer)) return
  // The form of another home is about it as soon as it is saved.
  const other = otherHomeIn(url)
  const meant = meantProject(open, other && open.includes(other) ? other : url.searchParams.get(projectParam))
  if (typeof meant === 'object') {
    if (open.length < 2 || meant.id === null) return
    sent.actor = { ...viewer, projectId: meant.id }
    stayWith(meant.id)
    return
  }
  if (['GET', 'HEAD'].includes(request.method)) {
    const homes = open.length > 1 ? dueFirst(await ownHomes(db, viewer.id, new Date())) : []
    throw redirect(chosenAddress(url, homes[0]?.id ?? open[0] ?? null))
  }
  if (meant === 'over') throw screenOf(new Refusal('failed-precondition', { description: homeIsOver }))
  // What it would change is refused; the page that says so shows the home that was chosen last.
  const about = { ...viewer }
  sent.actor = about
  whenRefused(() => {
    about.projectId = open[0]
  })
}

/** The address with the project that is chosen, or none. */
function chosenAddress({ pathname, searchParams }: URL, projectId: string | null): string {
  const query = new URLSearchParams(searchParams)
  for (const own of ['index', '_routes', projectParam]) query.delete(own)
  if (projectId) query.set(projectParam, projectId)
  return query.size > 0 ? `${pathname}?${query}` : pathname
}

export const middleware = [onlySignedIn, aboutProject]

export const shouldRevalidate = unlessSectionChange

/** The person in the sidebar. Having a loader also makes every navigation ask the server, where the guard runs. */
export async function loader({ context, request, url }: Route.LoaderArgs) {
  const { actor, db, secondFactorMissing } = requestOf(context)
  if (!actor) throw redirect('/signin')
  const onsite = isTechnician(actor) ? actor.id : null
  const { projectId = null } = actor
  const homes = projectId ? await ownHomes(db, actor.id, new Date()) : []
  return {
    projectId,
    homes: homes.map((home) => ({ id: home.id, name: home.name, due: dueMark(home) })),
    person: personOf(actor),
    owner: markerOf(actor.id),
    folded: isMenuFolded(request.headers.get('cookie') ?? ''),
    onsite,
    // Of a page that a technician's phone keeps.
    kept: onsite !== null && isKeptPath(url.pathname) ? keptSince(new Date()) : null,
    // Sent with the stream: a change between this answer and the open stream is not missed.
    position: secondFactorMissing ? null : positionOf(db),
  }
}

/** When the server read a page, in the words of that day and of later ones. */
const keptSince = (at: Date) => ({ ...keptAt(at), until: toDate(dayOf(toMinutes(at)).end) })

export default function Internal({ loaderData }: Route.ComponentProps) {
  const marker = useMarker()
  const { projectId } = loaderData
  return (
    <Frame loaderData={loaderData}>
      {useHydrated() && (
        <Suspense>
          <Drafts owner={loaderData.owner} marker={marker} />
        </Suspense>
      )}
      {loaderData.position !== null && <LiveUpdates position={loaderData.position} />}
      {/* The same screen of another person or thing begins anew: what is typed about one stays with it. */}
      <Outlet key={[projectId, ...Object.values(useParams())].join('/')} />
    </Frame>
  )
}

type FrameProps = { loaderData: Awaited<ReturnType<typeof loader>>; children: ReactNode }

/** What is around every screen; for a customer with several projects, the switch between them. */
function Frame({ children, loaderData }: FrameProps) {
  const { projectId } = loaderData
  const address = useCallback((to: string) => withProject(to, projectId), [projectId])
  return (
    <LinkAddress value={address}>
      <InternalFrame
        {...loaderData}
        strip={
          <>
            <Onsite {...loaderData} />
            <HomeSwitch homes={loaderData.homes} chosen={projectId} />
          </>
        }
      >
        {children}
      </InternalFrame>
    </LinkAddress>
  )
}

type HomeSwitchProps = {
  homes: readonly { id: string; name: string; due: string | null }[]
  chosen: string | null
}

/** Above each page of a customer with several projects: which home the page is about, and the others to go to. */
function HomeSwitch({ homes, chosen: named }: HomeSwitchProps) {
  const { pathname, search } = useLocation()
  const other = new URLSearchParams(search).get(otherHomeParam)
  const chosen = other === null || other === named ? named : null
  const id = useId()
  if (homes.length < 2) return null
  return (
    <div className="mx-auto w-full max-w-6xl px-4 pt-4 group-has-data-call/frame:hidden lg:px-8 lg:pt-6">
      <Form intent="choose-home" action="/address" preventScrollReset className="gap-2">
        {/* A page of one payment or appointment has no counterpart: its section has. */}
        <input type="hidden" name="back" value={`/${pathname.split('/')[1]}`} />
        <fieldset aria-labelledby={id} className="flex min-w-0 flex-wrap items-center gap-2">
          <span id={id} className="mr-1 flex items-center gap-2 text-sm text-mute max-sm:sr-only">
            <House aria-hidden className="size-4" />
            Domicilio
          </span>
          {homes.map(({ due, id: home, name }) => (
            <button
              key={home}
              type="submit"
              name="home"
              value={home}
              aria-current={home === chosen ? 'true' : undefined}
              className={classNames(
                'min-h-11 max-w-full rounded-3xl border px-4 py-1.5 text-left text-[0.9375rem] wrap-anywhere',
                home === chosen
                  ? 'border-brand bg-brand-soft font-semibold text-brand'
                  : 'border-line bg-card hover:bg-hover',
              )}
            >
              {name}
              {due && <span className="font-semibold text-wait"> · {due}</span>}
            </button>
          ))}
        </fieldset>
      </Form>
    </div>
  )
}

/** A screen that failed keeps the menu around it. */
export function ErrorBoundary({ error, loaderData }: Route.ErrorBoundaryProps) {
  const problem = <ErrorScreen error={error} />
  if (!loaderData) return <CleanFrame>{problem}</CleanFrame>
  return <Frame loaderData={loaderData}>{problem}</Frame>
}

/** A screen with `export const handle = { announcesUpdates: true }` announces its own changes to screen readers. */
type ScreenHandle = { announcesUpdates?: boolean }

/** Keeps the screen up to date, and announces changes where the screen asks for it; a call announces its own. */
function LiveUpdates({ position }: { position: string }) {
  const refreshes = useLive(position)
  const asked = useMatches().some(({ handle }) => (handle as ScreenHandle | undefined)?.announcesUpdates)
  return (
    <p role="status" className="sr-only group-has-data-[call=room]/frame:hidden">
      {/* A new key makes each refresh an addition, which is what a live region reads out. */}
      {asked && refreshes > 0 && <span key={refreshes}>La información se actualizó</span>}
    </p>
  )
}

/** The screen works without it: it may be requested where there is no network yet to load it. */
const OnsiteStrip = lazy(() =>
  import('../../../offline/onsite-strip.tsx').catch(() => ({ default: () => null })),
)

/** What is typed is kept; loaded after the screen, it takes in what was typed before. */
const Drafts = lazy(() =>
  import('../../../accounts/screens/drafts.ts').catch(() => ({ default: () => null })),
)

type OnsiteProps = Pick<Route.ComponentProps['loaderData'], 'onsite' | 'person' | 'kept'>

/** The code for work without a network, loaded after the screen. Other users' browsers have it removed. */
function Onsite({ onsite: personId, person, kept }: OnsiteProps) {
  const isHydrated = useHydrated()
  useEffect(() => {
    if (personId === null && navigator.serviceWorker?.controller)
      void import('../../../offline/remove-worker.ts').then(({ removeWorker }) => removeWorker())
  }, [personId])
  if (!personId || !isHydrated) return null
  return (
    <Suspense>
      <OnsiteStrip key={personId} personId={personId} person={person} kept={kept} />
    </Suspense>
  )
}
