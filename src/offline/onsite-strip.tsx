import { CloudAlert, CloudCheck, CloudOff, CloudUpload } from 'lucide-react'
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { createPortal } from 'react-dom'
import { useLocation, useMatches, useNavigation, useRevalidator } from 'react-router'
import { barItemClass, outboxPlaceId } from '../kit/frame/bar.ts'
import { lazyOr } from '../kit/later.tsx'
import { isBeingFilledIn } from '../kit/live.ts'
import { isLost, lookForServer, watchNetwork } from '../kit/network.ts'
import { Button } from '../ui/button.tsx'
import { useToast } from '../ui/toaster.tsx'
import { holdForms } from './held-forms.ts'
import { discard, forgetSent, retry } from './outbox/local-changes.ts'
import { type OfflineStore, offlineStoreOf } from './outbox/offline-store.ts'
import { startOutbox } from './outbox/outbox.ts'
import { holdWords, itemsOf, type OutboxItem } from './outbox/outbox-items.ts'
import { emptyPhone, type PhoneState } from './outbox/phone-state.ts'
import type { StoredRows } from './outbox/rows.ts'
import { isUnsent } from './outbox/send-order.ts'
import type { WorkOwner } from './outbox/store.ts'
import { type Ahead, newVersion, startWorker, useNewer, watchVersion } from './worker.ts'
import { beforeLeaving } from './worker-messages.ts'

const lineClass = 'flex items-center gap-3 px-4 py-2.5 text-[0.9375rem] lg:px-8'

type StripProps = {
  personId: string
  person: Pick<WorkOwner, 'name' | 'email'>
  /** When the server read what the page shows, where this phone keeps it: until when in which words. */
  kept: { today: string; later: string; until: Date } | null
}

/** Above a technician's screens: that there is no network, or that there is a newer version. */
export default function OnsiteStrip({ personId, person, kept }: StripProps): ReactNode {
  const lost = useSyncExternalStore(watchNetwork, isLost, () => false)
  const version = useSyncExternalStore(watchVersion, newVersion, () => null)
  const { phone, state } = useOutbox(personId)
  useWorker(personId)
  useHeldForms(phone)
  useNewer()
  const items = itemsOf(state)
  useOwner(phone, person, items.length > 0)
  const [leave, stay] = useLeaving(items.length > 0)
  const hasNotices = state.hold === 'signed-out' || state.claimed.length > 0 || version !== null
  return (
    <div role="status" className="contents">
      {phone && <OutboxBadge phone={phone} state={state} items={items} />}
      {lost && (
        <p data-strip className={`${lineClass} sticky top-14 z-10 bg-info-soft text-info lg:top-0`}>
          <CloudOff aria-hidden className="size-5 shrink-0" />
          <span>
            Sin señal.{' '}
            {navigator.serviceWorker?.controller
              ? 'Lo que hagas se guarda en tu teléfono.'
              : 'No cierres ni recargues esta página.'}
            {kept && <span className="block">{new Date() < kept.until ? kept.today : kept.later}</span>}
          </span>
        </p>
      )}
      <Suspense>
        {phone && hasNotices && (
          <StripNotices phone={phone} state={state} hasVersion={version !== null} lineClass={lineClass} />
        )}
        {phone && leave && (
          <LeaveDialog phone={phone} items={items} canSend={!lost && !state.hold} leave={leave} stay={stay} />
        )}
      </Suspense>
    </div>
  )
}

/** The service worker, and the day fetched ahead with each screen and after every live change. */
function useWorker(personId: string) {
  const { key } = useLocation()
  const data = useMatches().at(-1)?.loaderData
  const [ahead, setAhead] = useState<Ahead | null>(null)
  const at = useRef<string>(null)
  useEffect(() => lookForServer(), [])
  useEffect(() => {
    const started = startWorker(personId)
    void started.then(setAhead)
    return () => void started.then((ended) => ended?.stop())
  }, [personId])
  // biome-ignore lint/correctness/useExhaustiveDependencies: new data at the same address is a change.
  useEffect(() => {
    if (!ahead) return
    ahead.ask(at.current === key)
    at.current = key
  }, [ahead, key, data])
}

/** What this person has on this phone, sent while the screen is mounted; null where the browser stores nothing. */
function useOutbox(personId: string) {
  const [phone, setPhone] = useState<OfflineStore | null>(null)
  useEffect(() => {
    let stop: (() => void) | undefined
    let isOver = false
    offlineStoreOf(personId).then(
      (opened) => {
        if (isOver) return
        stop = startOutbox(opened)
        setPhone(opened)
        import('./raw-pictures.ts').then(({ checkLeft }) => checkLeft(opened)).catch(() => undefined)
      },
      () => undefined,
    )
    return () => {
      isOver = true
      stop?.()
    }
  }, [personId])
  const read = () => phone?.state.get() ?? emptyPhone
  const state = useSyncExternalStore(phone?.state.subscribe ?? never, read, read)
  useHeard(phone, state.rows)
  return { phone, state }
}

const never = () => () => {}

/**
 * The server has received something: the screen revalidates, and the phone's copy is deleted once the screen's data
 * from the server is newer. A form sent meanwhile may have replaced that request, which is then made again.
 */
function useHeard(phone: OfflineStore | null, { answers, files, moves }: StoredRows) {
  const { revalidate } = useRevalidator()
  const idle = useNavigation().state === 'idle'
  const data = useMatches().at(-1)?.loaderData
  const asked = useRef<{ data: unknown }>(null)
  const written = [...answers, ...files]
  // Answers are handled together, at the end: each time the kept pages of them are fetched again.
  const sent = [...moves, ...(written.some(isUnsent) ? [] : written)].filter((row) => !isUnsent(row)).length
  useEffect(() => {
    if (!phone || sent === 0) {
      asked.current = null
      return
    }
    // A refresh makes the router forget the answer to a form: it waits until that form is sent.
    if (!idle || isLost() || isBeingFilledIn()) return
    if (asked.current && asked.current.data !== data) {
      asked.current = null
      void forgetSent(phone)
      return
    }
    asked.current = { data }
    void revalidate()
  }, [phone, sent, idle, data, revalidate])
}

/** Whose it is stands on the phone while there is anything to send, and no longer. */
function useOwner(phone: OfflineStore | null, { name, email }: StripProps['person'], isWaiting: boolean) {
  useEffect(() => {
    if (!phone) return
    const { database, personId } = phone
    // Without room for it the sign-in says less.
    const noted = isWaiting
      ? database.put('owners', { personId, name, email })
      : database.delete('owners', personId)
    noted.catch(() => undefined)
  }, [phone, name, email, isWaiting])
}

/** A sign-out with unsent work asks first; answers what to do once it was asked. */
function useLeaving(isAsked: boolean) {
  const [leave, setLeave] = useState<(() => void) | null>(null)
  useEffect(() => {
    beforeLeaving.asks = (goOn) => {
      if (isAsked) void leaveDialog().then(() => setLeave(() => goOn), goOn)
      return isAsked
    }
    return () => {
      beforeLeaving.asks = null
    }
  }, [isAsked])
  return [leave, () => setLeave(null)] as const
}

const leaveDialog = () => import('./leave-dialog.tsx')
const LeaveDialog = lazy(leaveDialog)
// Seldom shown, and with the phone before they are.
const StripNotices = lazy(() => import('./strip-notices.tsx').catch(() => ({ default: () => null })))

/** Where the network is lost before this phone keeps the whole app. */
const NotNow = () => (
  <p role="status" className="bg-info-soft px-4 py-2.5 text-[0.9375rem] text-info lg:px-8">
    No pudimos abrir la lista. Lo que falta por enviar está guardado en tu teléfono.
  </p>
)

const OutboxPanel = lazyOr(() => import('./outbox/outbox-panel.tsx').then((part) => part.OutboxPanel), NotNow)

type OutboxBadgeProps = { phone: OfflineStore; state: PhoneState; items: readonly OutboxItem[] }

/** In the bar below, on a desk in a line: how much waits to be sent. It opens the list. */
function OutboxBadge({ phone, state, items }: OutboxBadgeProps) {
  const [openedAt, setOpenedAt] = useState<Date | null>(null)
  const place = document.getElementById(outboxPlaceId)
  const isBad = state.hold !== null || items.some(({ status }) => status === 'refused' || status === 'choose')
  const Icon = items.length === 0 ? CloudCheck : isBad ? CloudAlert : CloudUpload
  const refused = items.filter(({ status }) => status === 'refused').length
  const words = refused > 0 ? refusedWords(refused) : 'por enviar'
  const open = () => setOpenedAt(new Date())
  const button = (
    <button
      type="button"
      data-outbox
      onClick={open}
      className={`${barItemClass} ${isBad ? '*:text-bad' : ''}`}
    >
      <Icon aria-hidden className="size-6" />
      {/* "Nada por enviar", "3 por enviar", "1 no se aceptó" */}
      <span>
        <span
          className={
            items.length === 0
              ? 'sr-only'
              : `absolute top-0.5 left-1/2 ml-2 min-w-5 rounded-full px-1 text-sm/5 font-semibold ${refused > 0 ? 'bg-bad-soft text-bad' : 'bg-wait-soft text-wait'}`
          }
        >
          {refused || items.length || 'Nada'}
        </span>{' '}
        <span className="inline-block whitespace-nowrap first-letter:uppercase">{words}</span>
      </span>
    </button>
  )
  return (
    <>
      {place && createPortal(button, place)}
      {items.length > 0 && (
        <div className="flex items-center gap-3 bg-wait-soft px-8 py-2.5 text-[0.9375rem] max-lg:hidden">
          <Icon aria-hidden className="size-5 shrink-0 text-wait" />
          <span className="mr-auto">
            {items.length} por enviar
            {refused > 0 && (
              <span className="text-bad">
                : {refused} {words}
              </span>
            )}
          </span>
          <Button variant="ghost" onClick={open}>
            Ver
          </Button>
        </div>
      )}
      {openedAt && (
        <Suspense>
          <OutboxPanel
            items={items}
            now={openedAt}
            held={state.hold && holdWords[state.hold]}
            onRetry={(id) => void retry(phone, id)}
            onDiscard={(id) => void discard(phone, id)}
            onClose={() => setOpenedAt(null)}
          />
        </Suspense>
      )}
    </>
  )
}

const refusedWords = (count: number) => (count === 1 ? 'no se aceptó' : 'sin aceptar')

/** The code that keeps steps and ends is loaded after the strip; until then, and where it can't, forms wait in place. */
function useHeldForms(phone: OfflineStore | null): void {
  const toast = useToast()
  // With the strip: what is pressed as soon as it says that nothing is left to send is kept too.
  useEffect(() => (phone ? holdForms(phone, toast) : undefined), [phone, toast])
}
