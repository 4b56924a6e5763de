import { Link } from 'react-router'
import { fiscalStateFacts } from '../../domain/invoices/taxpayer.ts'
import { conceptLabels, methodLabels } from '../../domain/payments/payment.ts'
import { money as inPesos, shortDate } from '../../domain/shared/format.ts'
import type { ProjectFile } from '../../server/projects/file.ts'
import { PaymentBadge } from '../payments/payment-badge.tsx'
import { Card } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'
import { PartRow } from './project-parts.tsx'

type ProjectMoneyProps = {
  money: NonNullable<ProjectFile['money']>
  fiscal: ProjectFile['fiscal']
  projectId: string
}

/** What is charged, paid and owed, each payment as it stands, and whether invoices can be made out. */
export const ProjectMoney = ({ money: { ledger, payments }, fiscal, projectId }: ProjectMoneyProps) => (
  <Card title="Pagos" aside={<Link to={`/admin/cotizations/cobros/${projectId}`}>Ver la cuenta</Link>}>
    <DefinitionList
      items={[
        { term: 'Total a pagar', value: inPesos(ledger.charged) },
        { term: 'Pagado', value: inPesos(ledger.held) },
        ledger.credit > 0
          ? { term: 'A favor', value: inPesos(ledger.credit) }
          : { term: 'Falta', value: inPesos(ledger.owed) },
        { term: 'Datos fiscales', value: fiscal ? fiscalStateFacts[fiscal].label : 'No los ha dado' },
      ]}
    />
    {payments.length > 0 && (
      <ul className="grid gap-3 border-t border-line pt-4">
        {payments.map(({ amount, concept, folio, id, method, paidAt, state }) => (
          <PartRow
            key={id}
            note={[folio, method && methodLabels[method], paidAt && shortDate(paidAt)]
              .filter(Boolean)
              .join(', ')}
            badge={<PaymentBadge state={state} />}
          >
            {`${conceptLabels[concept]}, ${inPesos(amount)}`}
          </PartRow>
        ))}
      </ul>
    )}
  </Card>
)
