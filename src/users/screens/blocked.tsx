import { openBlockedInput } from '../../accounts/rules/schema.ts'
import { TextArea } from '../../kit/form/field.tsx'
import { FormDetails, OrphanedFormError, Submit } from '../../kit/form/form.tsx'
import { useLastActionData } from '../../kit/form/use-action-data.ts'
import { pageLinks, readFilters } from '../../kit/list/filters.ts'
import { ListPages } from '../../kit/list/list-body.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import {
  type BlockedAccount,
  blockedPage,
  blockedPageSize,
  type OpenedBlock,
  openBlocked,
} from '../../privacy/blocked-accounts.ts'
import { dateTime, longDate } from '../../shared/format.ts'
import { Alert } from '../../ui/alert.tsx'
import { Card, EmptyState } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Timeline } from '../../ui/timeline.tsx'
import type { Route } from './+types/blocked.ts'
import { Holdings } from './holdings.tsx'

type BlockedAccountCardProps = { account: BlockedAccount; opened: OpenedBlock | null }

/** A blocked account: what distinguishes it from the others, who opened it, and the form that opens it. */
function BlockedAccountCard({ account, opened }: BlockedAccountCardProps) {
  const { blockedAt, folios, id, openings, suppressAt } = account
  return (
    <Card title={`Bloqueada el ${longDate(blockedAt)}`}>
      <DefinitionList
        items={[
          { term: 'Se suprime el', value: longDate(suppressAt) },
          { term: 'Folios', value: folios.join(', ') || 'Sin citas' },
          { term: 'Cuenta', value: id },
        ]}
      />
      {opened ? <OpenedAccount opened={opened} /> : <OpeningForm id={id} />}
      {openings.length > 0 && (
        <section aria-label="Quién la abrió" className="grid gap-3 border-t border-line pt-4">
          <h3 className="font-semibold">Quién la abrió</h3>
          <Timeline
            items={openings.map((opening) => ({
              key: opening.id,
              title: opening.reason,
              note: `${dateTime(opening.at)} · ${opening.who}`,
            }))}
          />
        </section>
      )}
    </Card>
  )
}

const OpeningForm = ({ id }: { id: string }) => (
  <FormDetails summary="Abrir" intent="open-blocked" target={{ customerId: id }}>
    <TextArea
      label="¿Para qué la abres?"
      name="reason"
      minLength={10}
      maxLength={500}
      help="Por ejemplo, el requerimiento de una autoridad con su número de oficio. Queda registrado con tu nombre y la hora."
    />
    <Submit variant="destructive" className="sm:justify-self-start">
      Abrir y registrar
    </Submit>
  </FormDetails>
)

const OpenedAccount = ({ opened: { data, files } }: { opened: OpenedBlock }) => (
  <>
    <Alert tone="info" title="Se muestra solo esta vez">
      Es lo que la persona podía leer de sí misma. Al salir de la página se cierra; abrirla otra vez deja otro
      registro.
    </Alert>
    <Holdings data={data} />
    {files.length > 0 && (
      <section aria-label="Archivos" className="grid gap-3 border-t border-line pt-4">
        <h3 className="font-semibold">Archivos que se conservan</h3>
        <ul className="grid gap-1 text-[0.9375rem] wrap-anywhere">
          {files.map((name) => (
            <li key={name}>{name}</li>
          ))}
        </ul>
      </section>
    )}
  </>
)

export const shouldRevalidate = revalidateOnConflict

export const loader = ({ context, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { after, place } = readFilters({}, url)
    const { db, actor } = signedIn(context)
    const { next, ...page } = await blockedPage(db, actor, after)
    return { ...page, size: blockedPageSize, pages: pageLinks({}, place, next) }
  })

export const action = forms(({ context }: Route.ActionArgs) => ({
  'open-blocked': form(openBlockedInput, async (input) => {
    const { db, actor, unsealBlocked } = signedIn(context)
    return {
      opened: await openBlocked(db, actor, input, unsealBlocked),
    }
  }),
}))

export default function BlockedAccounts({ loaderData, actionData }: Route.ComponentProps) {
  const { isMore, pages, rows, size, total } = loaderData
  const answer = useLastActionData(actionData)
  const opened = answer && 'opened' in answer ? answer.opened : null
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
      <OrphanedFormError />
      {rows.length === 0 && <EmptyState>No hay cuentas bloqueadas.</EmptyState>}
      <div className="grid grid-cols-1 gap-4">
        {rows.map((account) => (
          <BlockedAccountCard
            key={account.id}
            account={account}
            opened={opened?.customerId === account.id ? opened : null}
          />
        ))}
      </div>
      <ListPages pages={pages} rows={rows} count={{ total, isMore }} size={size} />
    </>
  )
}
