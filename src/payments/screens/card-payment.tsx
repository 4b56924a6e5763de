import { redirect } from 'react-router'
import { payByCard } from '../../integrations/stripe/checkout.ts'
import { type OwnCardPayment, ownCardPayment } from '../../integrations/stripe/own-payment.ts'
import type { FormResult } from '../../kit/form/form.tsx'
import { Help } from '../../kit/help.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { submit } from '../../kit/submit.ts'
import { isId } from '../../platform/database/client.ts'
import { longDate, money } from '../../shared/format.ts'
import { refuse } from '../../shared/refusal.ts'
import { noFields } from '../../shared/schema.ts'
import { Alert } from '../../ui/alert.tsx'
import { LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { conceptLabels } from '../rules/payment.ts'
import type { Route } from './+types/card-payment.ts'
import { CardForm, VoucherNotice } from './card-form.tsx'

export const handle = { announcesUpdates: true }

export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, params, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const cameBack = url.searchParams.has('listo')
    const leftUnpaid = url.searchParams.has('sin-pagar')
    const { db, cards, actor, now } = signedIn(context)
    const payment = await ownCardPayment(db, cards, actor, params.id, {
      cameBack,
      now,
    })
    return { payment, leftUnpaid }
  })

export const action = async ({ request, context, params }: Route.ActionArgs) =>
  submit(request, noFields, async () => {
    if (!isId(params.id)) refuse('not-found')
    const { db, cards, actor, now } = signedIn(context)
    const page = await payByCard(db, cards, actor, params.id, now)
    return redirect(page, 303)
  })

export default function CardPayment({ loaderData, actionData }: Route.ComponentProps) {
  const { leftUnpaid, payment } = loaderData
  return (
    <div className="grid max-w-xl gap-6">
      <PageHeader
        title="Pago con tarjeta"
        subtitle={`${conceptLabels[payment.concept]} · ${payment.folio}`}
        back={{ to: '/payments', label: 'Pagos' }}
      />
      <Standing payment={payment} leftUnpaid={leftUnpaid} result={actionData} />
    </div>
  )
}

type StandingProps = { payment: OwnCardPayment; leftUnpaid: boolean; result: FormResult | undefined }

function Standing({ payment, leftUnpaid, result }: StandingProps) {
  const { amount, confirming, offer, paidAt, state, voucher } = payment
  if (state === 'paid')
    return (
      <>
        <Alert tone="ok" title={`Recibimos tu pago de ${money(amount)}`}>
          {paidAt && `Quedó registrado el ${longDate(paidAt)}. Te enviamos tu recibo por correo.`}
        </Alert>
        <Back />
      </>
    )
  if (confirming)
    return (
      <>
        <Alert tone="info" title="Estamos confirmando tu pago">
          Falta la confirmación del banco. Esta página se actualiza sola y te avisamos por correo; no hace
          falta que pagues otra vez.
        </Alert>
        <Back />
      </>
    )
  return (
    <>
      {leftUnpaid && !voucher && !result && (
        <Alert tone="neutral" title="No se te cobró nada">
          Saliste antes de terminar. Puedes continuar cuando quieras.
        </Alert>
      )}
      {voucher && <VoucherNotice {...voucher} />}
      <Card>
        <p className="flex flex-wrap items-baseline justify-between gap-x-4 gap-y-1">
          <span className="text-3xl font-semibold tracking-tight tabular-nums">{money(amount)}</span>
          <span className="text-sm text-mute">con IVA</span>
        </p>
        {offer ? (
          <CardForm paymentId={payment.id} offer={offer} afterVoucher={voucher !== null} result={result} />
        ) : (
          <NoCard result={result} />
        )}
      </Card>
      {result?.refusal && <Help about={`Hola, necesito ayuda con el pago ${payment.folio}`} />}
    </>
  )
}

function NoCard({ result }: { result: FormResult | undefined }) {
  return (
    <>
      <Alert tone="neutral" title={result?.refusal?.title ?? 'Este pago no se hace con tarjeta'}>
        {result?.refusal?.description ?? 'Mira en tus pagos cómo está y de qué otra forma puedes pagarlo.'}
      </Alert>
      <Back />
    </>
  )
}

const Back = () => (
  <LinkButton to="/payments" variant="ghost" className="justify-self-start">
    Ver mis pagos
  </LinkButton>
)
