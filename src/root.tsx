import { requestOf } from './kit/request.ts'
import './app/screens/app.css'
import inter from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url'
import { type ReactNode, useEffect, useRef, useSyncExternalStore } from 'react'
import { data, Links, Outlet, Scripts, ScrollRestoration, useLocation, useNavigation } from 'react-router'
import type { Route } from './+types/root.ts'
import { useFollow, useRefresh, useSync } from './accounts/screens/refresh.ts'
import { guarded } from './app/screens/layouts/guarded.ts'
import { ErrorScreen } from './app/screens/problem.tsx'
import { takeFlash } from './kit/flash.ts'
import { isAnyWaiting, watchUnsent } from './kit/form/unsent.ts'
import { UnsentStrip } from './kit/form/unsent-bar.tsx'
import { CleanFrame } from './kit/frame/clean-frame.tsx'
import { useNavigationFocus } from './kit/navigation-focus.ts'
import type { Flash } from './kit/schema.ts'
import { unlessSectionChange } from './kit/section-change.ts'
import { type RootData, useHasContrast, useSite } from './kit/site.ts'
import { markerOf } from './platform/http/cookies.ts'
import { shownSettings } from './settings/queries.ts'
import { isContrastHigh } from './shared/device.ts'
import { Brand } from './ui/page-header.tsx'
import { Toaster, useToast } from './ui/toaster.tsx'

export const links: Route.LinksFunction = () => [
  { rel: 'icon', type: 'image/svg+xml', href: '/favicon.svg' },
  { rel: 'apple-touch-icon', href: '/icons/apple-touch-icon.png' },
  // With its cookies: the shortcuts are those of whoever is signed in.
  { rel: 'manifest', href: '/app.webmanifest', crossOrigin: 'use-credentials' },
  { rel: 'preload', as: 'font', type: 'font/woff2', href: inter, crossOrigin: 'anonymous' },
]

export const shouldRevalidate = unlessSectionChange

/** The pattern of the requested address: metrics and traces distinguish screens, and not people. */
export const middleware: Route.MiddlewareFunction[] = [
  ({ context, pattern }) => {
    requestOf(context).outcome.route = pattern
  },
  guarded,
]

/** Asked for before anybody goes there: by the service worker, or by the browser for a link that may be pressed. */
const isAhead = ({ headers }: Request) =>
  headers.has('x-ahead') || headers.get('sec-purpose')?.includes('prefetch') === true

/** Read at every navigation, so it asks the database only after something was announced. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { db, requestId, session: current, site, syncPath } = requestOf(context)
  const { brand, host, legalLine, privacyUrl, termsUrl, modules } = site
  // A prefetch must not take the toast, which is for the page that is open.
  const { flash, headers } = isAhead(request)
    ? { flash: null, headers: new Headers() }
    : await takeFlash(request)
  const { support } = await shownSettings(db)
  const shown = { brand, host, legalLine, privacyUrl, termsUrl, modules, support }
  const marker = markerOf(current?.id)
  const endsAt = current?.endsAt.getTime() ?? null
  return data<RootData>(
    {
      site: shown,
      flash,
      requestId,
      contrast: isContrastHigh(request.headers.get('cookie') ?? ''),
      session: { marker, endsAt, syncPath },
    },
    { headers },
  )
}

export function Layout({ children }: { children: ReactNode }) {
  return (
    <html lang="es-MX" data-contrast={useHasContrast() || undefined}>
      <head>
        <meta charSet="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover" />
        <meta name="color-scheme" content="light dark" />
        <meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff" />
        <meta name="theme-color" media="(prefers-color-scheme: dark)" content="#161e1b" />
        <Links />
      </head>
      <body>
        <Brand value={useSite()?.brand ?? ''}>{children}</Brand>
        <ScrollRestoration />
        <Scripts />
      </body>
    </html>
  )
}

export default function Root({ loaderData }: Route.ComponentProps) {
  useNavigationFocus()
  useFollow(loaderData.session.marker)
  useRefresh(loaderData.session.endsAt)
  // The provider's window would close during the request; the tab that opened it makes it.
  const closes = useLocation().pathname === '/session/provider/done'
  useSync(closes ? null : loaderData.session.syncPath, loaderData.session.marker)
  return (
    <Toaster>
      <NavigationProgress />
      <UnsentStrip />
      <FlashToast flash={loaderData.flash} />
      <Outlet />
    </Toaster>
  )
}

/** Shows the toast that a redirect left: once, also where a refresh was asked for before its cookie was gone. */
function FlashToast({ flash }: { flash: Flash | null }) {
  const toast = useToast()
  const last = useRef<string>(undefined)
  useEffect(() => {
    if (!flash || (flash.once && flash.once === last.current)) return
    last.current = flash.once
    toast(flash)
  }, [flash, toast])
  return null
}

export function ErrorBoundary({ error }: Route.ErrorBoundaryProps) {
  return (
    <CleanFrame>
      <ErrorScreen error={error} />
    </CleanFrame>
  )
}

/** A thin bar at the top while the next screen loads. It waits a moment: most screens are faster than that. */
function NavigationProgress() {
  const { state } = useNavigation()
  const waits = useSyncExternalStore(watchUnsent, isAnyWaiting, () => false)
  if (state === 'idle' || waits) return null
  return (
    <div
      role="progressbar"
      aria-label="Cargando"
      className="fixed inset-x-0 top-0 z-50 h-0.5 animate-[fade_200ms_150ms_backwards] overflow-hidden bg-brand-soft"
    >
      <div className="h-full w-1/3 animate-travel bg-brand motion-reduce:w-full" />
    </div>
  )
}
