import { z } from 'zod'
import { openBlockedInput } from '../../domain/accounts/schema.ts'
import { blockedPage } from '../../server/accounts/blocked-list.ts'
import { openBlocked } from '../../server/accounts/open-blocked.ts'
import { db, unsealBlocked } from '../../server/app/context.ts'
import { afterRefusal } from '../lib/after-refusal.ts'
import { load } from '../lib/load.ts'
import { someone } from '../lib/someone.ts'
import { submit } from '../lib/submit.ts'
import { Alert } from '../ui/alert.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { useLastAnswer } from '../ui/last-answer.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { Pagination } from '../ui/pagination.tsx'
import type { Route } from './+types/blocked.ts'
import { BlockedAccountCard } from './blocked-account.tsx'

export const shouldRevalidate = afterRefusal

const afterInput = z.uuid().optional().catch(undefined)

export const loader = ({ context, url }: Route.LoaderArgs) =>
  load(async () => {
    const after = afterInput.parse(url.searchParams.get('after') ?? undefined)
    const { next, rows } = await blockedPage(context.get(db), someone(context), after)
    return { rows, first: after ? '?' : null, next: next && `?after=${next}` }
  })

export const action = ({ request, context }: Route.ActionArgs) =>
  submit(request, openBlockedInput, async (input) => ({
    opened: await openBlocked(context.get(db), someone(context), input, context.get(unsealBlocked)),
  }))

export default function BlockedAccounts({ loaderData, actionData }: Route.ComponentProps) {
  const { first, next, rows } = loaderData
  const heard = useLastAnswer(actionData)
  const opened = heard && 'opened' in heard ? heard.opened : null
  const refused = heard && 'errors' in heard ? heard : undefined
  return (
    <>
      <PageHeader
        title="Cuentas bloqueadas"
        subtitle="De quienes eliminaron su cuenta"
        back={{ to: '/admin/users', label: 'Usuarios' }}
      />
      <p className="max-w-prose text-mute">
        La ley (LFPDPPP) manda conservar bloqueados los datos de una cuenta eliminada con un único fin:
        determinar posibles responsabilidades por su tratamiento, mientras puedan reclamarse. Hasta entonces
        no se usan para nada más; el día que se indica, se suprimen solos. Abre una solo para eso: una queja,
        una demanda o lo que pida una autoridad.
      </p>
      {refused?.refusal && !rows.some(({ id }) => id === refused.values.customerId) && (
        <Alert tone="bad" title={refused.refusal.title}>
          {refused.refusal.description}
        </Alert>
      )}
      {rows.length === 0 && <EmptyState>No hay cuentas bloqueadas.</EmptyState>}
      <div className="grid grid-cols-1 gap-4">
        {rows.map((account) => (
          <BlockedAccountCard
            key={account.id}
            account={account}
            result={refused?.values.customerId === account.id ? refused : undefined}
            opened={opened?.customerId === account.id ? opened : null}
          />
        ))}
      </div>
      <Pagination previous={first} next={next} />
    </>
  )
}
