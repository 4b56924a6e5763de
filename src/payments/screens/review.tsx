import { ArrowLeft, Check, ReceiptText } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { OrphanedFormError } from '../../kit/form/form.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { assertModule, signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { forms } from '../../kit/submit.ts'
import { CustomerLink } from '../../projects/screens/customer-link.tsx'
import { type Count, countWords } from '../../shared/count.ts'
import { money, relative } from '../../shared/format.ts'
import { LinkButton } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import { useSingleKeys } from '../../ui/single-keys.ts'
import { proofQueue } from '../queries.ts'
import { bankName } from '../rules/banks.ts'
import type { Route } from './+types/review.ts'
import { proofForms } from './forms.ts'
import { chosenProofPath, officePath, paymentPartPath } from './office-path.ts'
import { ReviewProof, wholeButton } from './review-proof.tsx'

export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    assertModule(context, 'payments')
    const { db, actor } = signedIn(context)
    const queue = await proofQueue(db, actor)
    return { ...queue, chosen: url.searchParams.get('comprobante'), now: new Date() }
  })

export const action = forms(({ context }: Route.ActionArgs) => {
  assertModule(context, 'payments')
  return proofForms(context, officePath)
})

type Queue = Route.ComponentProps['loaderData']
type Row = Queue['rows'][number]

/** The proofs that wait for a review, the longest wait first, and beside them the chosen one; on a phone one or the other. */
export default function Review({ loaderData: { chosen, count, now, rows } }: Route.ComponentProps) {
  const at = rows.findIndex(({ folio }) => folio === chosen)
  const shown = rows[Math.max(0, at)]
  return (
    <>
      <OrphanedFormError />
      {shown ? (
        <div className="grid grid-cols-1 items-start gap-4 lg:flex">
          <div className={classNames('grid gap-3 lg:w-60 lg:shrink-0', at >= 0 && 'max-lg:hidden')}>
            <p className="text-mute">{waitingWords(rows.length, count)}</p>
            <ProofList rows={rows} shown={shown} now={now} />
          </div>
          <div className={classNames('grid min-w-0 flex-1 grid-cols-1 gap-3', at < 0 && 'max-lg:hidden')}>
            <Link to={officePath} className="flex items-center gap-1.5 justify-self-start lg:hidden">
              <ArrowLeft aria-hidden className="size-4" />
              Todos los comprobantes
            </Link>
            <ShownProof shown={shown} next={rows[(rows.indexOf(shown) + 1) % rows.length]!} now={now} />
          </div>
        </div>
      ) : (
        <NothingWaits />
      )}
    </>
  )
}

const NothingWaits = () => (
  <EmptyState
    icon={ReceiptText}
    action={
      <LinkButton variant="ghost" to={paymentPartPath('banco')}>
        Comparar con el banco
      </LinkButton>
    }
  >
    No hay comprobantes por revisar. Aquí aparecen cuando un cliente manda el de su transferencia.
  </EmptyState>
)

type ProofListProps = Pick<Queue, 'rows' | 'now'> & { shown: Row }

const ProofList = ({ now, rows, shown }: ProofListProps) => (
  <nav aria-label="Comprobantes por revisar" className="rounded-card border border-line bg-card">
    <ul>
      {rows.map(({ amount, bank, customer, folio, inBank, since }) => (
        <li key={folio} className="border-t border-line first:border-0">
          <Link
            to={chosenProofPath(folio)}
            preventScrollReset
            aria-current={folio === shown.folio ? 'true' : undefined}
            className="flex flex-wrap items-baseline justify-between gap-x-3 px-4 py-2.5 text-ink no-underline hover:bg-hover aria-[current]:bg-hover"
          >
            <span className="w-full font-semibold wrap-anywhere">{customer}</span>
            <span className="tabular-nums">{money(amount)}</span>
            <span className="text-sm text-mute">{since && relative(since, now)}</span>
            <span className="w-full text-sm text-mute">{bank && bankName(bank)}</span>
            {inBank && (
              <span className="flex items-center gap-1 text-sm text-brand">
                <Check aria-hidden className="size-4" />
                El banco ya lo trae
              </span>
            )}
          </Link>
        </li>
      ))}
    </ul>
  </nav>
)

type ShownProofProps = Pick<Queue, 'now'> & { shown: Row; next: Row }

/** A proof with its customer. Enter books it as it was asked for, N goes to the next one. */
function ShownProof({ next, now, shown }: ShownProofProps) {
  const pane = useShownPane(shown.id, next)
  const { customer, customerId, home, inBank, since, to, ...payment } = shown
  return (
    <section ref={pane} tabIndex={-1} aria-label="Comprobante elegido" className="grid gap-2 outline-none">
      <ReviewProof
        key={payment.id}
        payment={payment}
        now={now}
        next={next === shown ? undefined : next.folio}
        payer={
          <>
            <CustomerLink id={customerId}>{customer}</CustomerLink>
            {home && `, ${home}`}
            {' · '}
            <Link to={to} prefetch="intent">
              Ver la cuenta
            </Link>
            {since && <span className="text-mute">, espera desde {relative(since, now)}</span>}
          </>
        }
      />
      <p className="flex flex-wrap gap-x-4 text-sm text-mute max-lg:hidden pointer-coarse:hidden noscript:hidden">
        <span>
          <kbd className="rounded-md border border-line px-1.5 font-sans">Entrar</kbd> Llegó completo
        </span>
        <span>
          <kbd className="rounded-md border border-line px-1.5 font-sans">N</kbd> Siguiente
        </span>
      </p>
    </section>
  )
}

/** A proof that has just come is looked at before a key books it. */
const leastLookMs = 600

/** Gives the focus to a proof that takes another's place, and listens to its keys. */
function useShownPane(id: string, next: Row) {
  const pane = useRef<HTMLElement>(null)
  const latest = useRef({ id, at: 0 })
  const navigate = useNavigate()
  useEffect(() => {
    if (latest.current.id !== id) pane.current?.focus()
    latest.current = { id, at: performance.now() }
  }, [id])
  const goOn = () => navigate(chosenProofPath(next.folio), { preventScrollReset: true })
  const book = () => {
    if (performance.now() - latest.current.at > leastLookMs)
      pane.current?.querySelector<HTMLElement>(wholeButton)?.click()
  }
  useSingleKeys({ Enter: book, n: goOn, N: goOn })
  return pane
}

function waitingWords(shown: number, count: Count): string {
  const { total } = count
  const all = `${countWords(count)} ${total === 1 ? 'comprobante espera' : 'comprobantes esperan'} revisión`
  return shown < total ? `${all}; estos son los ${shown} que llevan más tiempo.` : `${all}.`
}
