import { dateTime, longDate } from '../../domain/shared/format.ts'
import type { BlockedAccount } from '../../server/accounts/blocked-list.ts'
import type { Opened } from '../../server/accounts/open-blocked.ts'
import { Holdings } from '../accounts/holdings.tsx'
import type { Failure } from '../lib/submit.ts'
import { Alert } from '../ui/alert.tsx'
import { Card } from '../ui/card.tsx'
import { DefinitionList } from '../ui/definition-list.tsx'
import { Details } from '../ui/details.tsx'
import { TextArea } from '../ui/field.tsx'
import { Form } from '../ui/form.tsx'
import { Submit } from '../ui/submit.tsx'
import { Timeline } from '../ui/timeline.tsx'

type BlockedAccountCardProps = { account: BlockedAccount; result: Failure | undefined; opened: Opened | null }

/** A blocked account: what tells it from the others, who opened it, and the form that opens it. */
export function BlockedAccountCard({ account, result, opened }: BlockedAccountCardProps) {
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
      {opened ? <OpenedAccount opened={opened} /> : <OpeningForm id={id} result={result} />}
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

const OpeningForm = ({ id, result }: { id: string; result: Failure | undefined }) => (
  <Details summary="Abrir" open={result !== undefined}>
    <Form result={result}>
      <input type="hidden" name="customerId" value={id} />
      <TextArea
        label="¿Para qué la abres?"
        name="reason"
        minLength={10}
        maxLength={500}
        help="Por ejemplo, el requerimiento de una autoridad con su número de oficio. Queda registrado con tu nombre y la hora."
      />
      <Submit name="intent" value="open-blocked" variant="destructive" className="sm:justify-self-start">
        Abrir y registrar
      </Submit>
    </Form>
  </Details>
)

const OpenedAccount = ({ opened: { data, files } }: { opened: Opened }) => (
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
