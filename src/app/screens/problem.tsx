import { useEffect, useState, useSyncExternalStore } from 'react'
import { isRouteErrorResponse, useLocation } from 'react-router'
import { Help } from '../../kit/help.tsx'
import { watchNetwork } from '../../kit/network.ts'
import { useRequestId } from '../../kit/site.ts'
import { hasWordsOf } from '../../offline/kept-words.ts'
import { overload } from '../../shared/overload.ts'
import { buttonClass } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { PageHeader } from '../../ui/page-header.tsx'

type Words = { title: string; description: string }

/** The message of a failed screen: what happened, what to do, and who can help. A refusal has its own words. */
export function ErrorScreen({ error }: { error: unknown }) {
  if (isRouteErrorResponse(error) && error.status === 404) return <NotFound />
  if (isUnreachable(error)) return <Unreachable />
  const words = refusalIn(error)
  return <Failed words={words} isOurs={!words || isOurFault(error)} />
}

/** A request without an answer; every browser has its own message for it. */
const isUnreachable = (error: unknown) =>
  error instanceof TypeError && /fetch|network|load failed/i.test(error.message)

/** Replaces a page that could not be requested, and asks for it again by itself. */
function Unreachable() {
  const { pathname, search } = useLocation()
  const isStaff = pathname.startsWith('/admin')
  const isOffline = useSyncExternalStore(
    watchNetwork,
    () => !navigator.onLine,
    () => false,
  )
  const hasWords = useKeptWords()
  useEffect(openWhenThere, [])
  return (
    <Card className="max-w-2xl gap-5">
      <PageHeader
        title={isOffline ? 'Sin señal' : 'No pudimos llegar al servidor'}
        subtitle={`Esta página se abre sola en cuanto ${isOffline ? 'vuelva la señal' : 'responda'}.${hasWords ? ` ${keptHere}` : ''}`}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <a className={buttonClass()} href={pathname + search}>
          Volver a intentar
        </a>
        <a className={buttonClass('ghost')} href={isStaff ? '/admin/appointments-pending' : '/'}>
          {isStaff ? 'Ver mis citas' : 'Ir al inicio'}
        </a>
      </div>
    </Card>
  )
}

const keptHere = 'Lo que escribiste en ella está guardado en este dispositivo.'

/** Whether this device has what was typed on the page that failed; told once the browser can be asked. */
function useKeptWords(): boolean {
  const { pathname, search } = useLocation()
  const [hasWords, say] = useState(false)
  useEffect(() => say(hasWordsOf(pathname + search)), [pathname, search])
  return hasWords
}

/** Loads the page anew once its server answers; returns the function that stops it. */
function openWhenThere(): () => void {
  const ask = () => {
    if (!navigator.onLine) return
    fetch('/readyz', { cache: 'no-store' }).then(
      ({ ok }) => ok && location.reload(),
      () => undefined,
    )
  }
  const timer = setInterval(ask, 10_000)
  window.addEventListener('online', ask)
  return () => {
    clearInterval(timer)
    window.removeEventListener('online', ask)
  }
}

/** The loader answered it, so the page knows its status. */
const isOurFault = (error: unknown) =>
  isRouteErrorResponse(error) && error.status >= 500 && typeof error.data === 'object'

function Failed({ isOurs, words }: { isOurs: boolean; words: Words | null }) {
  const { pathname, search } = useLocation()
  const hasWords = useKeptWords()
  return (
    <Card className="max-w-2xl gap-5">
      <PageHeader
        title={words?.title ?? 'Algo salió mal'}
        subtitle={
          words?.description ?? 'Fue nuestra culpa y ya quedó registrado. Vuelve a intentarlo en un momento.'
        }
      />
      {hasWords && <p>{keptHere}</p>}
      {isOurs && <RequestId />}
      {/* Plain links: they ask the server for a whole new page, whatever broke in this one. */}
      <div className="grid gap-3 sm:grid-cols-2">
        <a className={buttonClass()} href={pathname + search}>
          Volver a intentar
        </a>
        <a className={buttonClass('ghost')} href="/">
          Ir al inicio
        </a>
      </div>
      <Help about="Hola, una página me dio un error" />
    </Card>
  )
}

/** Shown at an address with no content, or none for this person. */
export function NotFound() {
  return (
    <Card className="max-w-2xl gap-5">
      <PageHeader
        title="No encontramos esta página"
        subtitle="La dirección no existe, cambió o no está disponible para tu cuenta."
      />
      <a className={buttonClass('primary', 'justify-self-start max-sm:w-full')} href="/">
        Ir al inicio
      </a>
      <Help about="Hola, no encuentro una página" />
    </Card>
  )
}

function RequestId() {
  const id = useRequestId()
  if (!id) return null
  return (
    <p className="text-sm text-mute">
      Si pides ayuda, dinos este número: <span className="block break-all text-ink">{id}</span>
    </p>
  )
}

/** The words of a refusal that a loader answered with, or the table's where there was not even room for a loader. */
function refusalIn(error: unknown): Words | null {
  if (!isRouteErrorResponse(error)) return null
  if (error.status === 503 && typeof error.data === 'string') return overload
  const { title, description } = (error.data ?? {}) as { title?: unknown; description?: unknown }
  return typeof title === 'string' && typeof description === 'string' ? { title, description } : null
}
