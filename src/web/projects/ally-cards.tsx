import { Link } from 'react-router'
import { commissionStateFacts, commissionStates } from '../../domain/agencies/commissions.ts'
import { money, thousands } from '../../domain/shared/format.ts'
import { sectionPath } from '../agencies/agency-part.ts'
import { StageBadge } from '../agencies/stage-badge.tsx'
import { Badge } from '../ui/badge.tsx'
import { Card } from '../ui/card.tsx'
import type { AllyBlocks } from './ally-loader.ts'

/** Where an ally's clients are, each stage the way to its list, and what their agency has earned. */
export const AllyCards = ({ agencyId, stages, sums }: AllyBlocks) => (
  <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
    {stages.length > 0 && <Stages stages={stages} />}
    <Card
      title="Comisiones de tu concesionaria"
      aside={
        <Link to={sectionPath(agencyId, 'comisiones')} prefetch="intent" className={more}>
          Ver por mes
        </Link>
      }
    >
      <dl className="grid gap-2.5">
        {commissionStates.map((state) => (
          <div key={state} className="flex flex-wrap items-center justify-between gap-x-3">
            <dt>
              <Badge tone={commissionStateFacts[state].tone}>{commissionStateFacts[state].label}</Badge>
            </dt>
            <dd className="font-semibold">{money(sums[state])}</dd>
          </div>
        ))}
      </dl>
    </Card>
  </div>
)

const more = '-my-2 flex min-h-11 items-center text-[0.9375rem] font-medium text-mute hover:text-ink'

function Stages({ stages }: Pick<AllyBlocks, 'stages'>) {
  const most = Math.max(...stages.map(({ count }) => count))
  return (
    <Card
      title="Tus clientes por etapa"
      aside={
        <Link to="/admin/alliate/clients" prefetch="intent" className={more}>
          Ver todos
        </Link>
      }
    >
      <ul className="-mx-2 grid">
        {stages.map(({ stage, count, to }) => (
          <li key={stage}>
            <Link
              to={to}
              prefetch="intent"
              className="grid min-h-11 grid-cols-[10rem_1fr_2.5rem] items-center gap-3 rounded-control px-2 text-ink no-underline hover:bg-hover"
            >
              <span>
                <StageBadge stage={stage} />
              </span>
              <span aria-hidden className="block h-2 overflow-hidden rounded-full bg-line">
                <span
                  className="block h-full rounded-full bg-brand"
                  style={{ width: `${(count / most) * 100}%` }}
                />
              </span>
              <span className="text-right font-semibold">{thousands(count)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}
