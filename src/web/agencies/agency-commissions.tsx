import { commissionStateFacts, commissionStates } from '../../domain/agencies/commissions.ts'
import { money, monthAndYear } from '../../domain/shared/format.ts'
import type { CommissionMonth } from '../../server/agencies/sums.ts'
import { Card, cardClass } from '../ui/card.tsx'
import { classNames } from '../ui/class-names.ts'
import type { ShownAgency } from './agency-part.ts'
import { CommissionLines } from './commission-lines.tsx'
import { CommissionMonths } from './commission-months.tsx'
import { PayForm } from './commission-pay-form.tsx'
import { CommissionPayouts } from './commission-payouts.tsx'
import type { loadCommissions } from './load-commissions.ts'

type AgencyCommissionsProps = Awaited<ReturnType<typeof loadCommissions>> & {
  agency: ShownAgency
}

/** What an agency earned: its sums, and for whoever settles them each row, what can be paid, and what was. */
export function AgencyCommissions({ agency, desk, months, sums }: AgencyCommissionsProps) {
  return (
    <div className="grid grid-cols-1 gap-4">
      <Sums sums={sums} />
      {desk && <PayForm {...desk} />}
      {desk && months.length > 0 && (
        <Card title={`Comisiones de ${monthAndYear(`${desk.month}-01`).toLowerCase()}`}>
          <CommissionLines {...desk} />
        </Card>
      )}
      <Card title="Estados de cuenta">
        <CommissionMonths agencyId={agency.id} months={months} isDesk={desk !== null} />
      </Card>
      {desk && desk.payouts.length > 0 && <CommissionPayouts payouts={desk.payouts} />}
      <p className="text-sm text-mute">
        Una comisión se gana al terminar una instalación, sobre el precio sin IVA que su cliente aceptó. Se
        aprueba cuando su cliente terminó de pagar y pasaron 15 días. Las cantidades son antes de IVA.
      </p>
    </div>
  )
}

const Sums = ({ sums }: { sums: Pick<CommissionMonth, (typeof commissionStates)[number]> }) => (
  <dl className="grid gap-3 sm:grid-cols-3 sm:gap-4">
    {commissionStates.map((state) => (
      <div
        key={state}
        className={classNames(cardClass, 'flex items-baseline justify-between gap-3 p-4 sm:grid')}
      >
        <dt className="text-sm text-mute">{commissionStateFacts[state].plural}</dt>
        <dd className="text-xl font-semibold tabular-nums sm:text-2xl">{money(sums[state])}</dd>
      </div>
    ))}
  </dl>
)
