import { ChevronRight } from 'lucide-react'
import { Form as SearchForm } from 'react-router'
import { isCustomer } from '../../access/rules/actor.ts'
import { customerToActFor } from '../../accounts/people.ts'
import { serviceFacts, stateFacts } from '../../appointments/rules/appointment.ts'
import { redirectWithToast } from '../../kit/flash.ts'
import { Checkbox, Field } from '../../kit/form/field.tsx'
import { Form, OrphanedFormError, Submit } from '../../kit/form/form.tsx'
import { RadioCards } from '../../kit/form/radio-cards.tsx'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { signedIn } from '../../kit/request.ts'
import { revalidateOnConflict } from '../../kit/revalidate-on-conflict.ts'
import { form, forms } from '../../kit/submit.ts'
import { conceptOf } from '../../payments/rules/payment.ts'
import { PaymentBadge } from '../../payments/screens/payment-badge.tsx'
import { addressLine } from '../../projects/rules/address.ts'
import { customerPath, mergePath } from '../../projects/rules/pipeline.ts'
import { mergeInput } from '../../projects/rules/schema.ts'
import { stageLabels } from '../../projects/rules/stages.ts'
import { dateTime, formatPhone, money, shortDate } from '../../shared/format.ts'
import { hasMailbox, shownEmail } from '../../shared/mailbox.ts'
import { refuse } from '../../shared/refusal.ts'
import { tidy } from '../../shared/text.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { ActionBar, Button, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { calledBy } from '../../users/rules/user.ts'
import {
  type ComparedCustomer,
  comparedCustomer,
  type Duplicate,
  findDuplicates,
  likelyDuplicates,
} from '../duplicates.ts'
import { mergeCustomers, pairOf } from '../merge.ts'
import { mergeInWords, mergesCustomers, proposedToStand, whyNotMerged } from '../rules/merge.ts'
import type { Route } from './+types/customer-merge.ts'
import { PartRow } from './project-parts.tsx'

export const handle = { announcesUpdates: true }
export const shouldRevalidate = revalidateOnConflict

/** Finds another record of the same person, and shows both beside each other with what a merge would do. */
export const loader = ({ context, params: { id }, url }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const { db, actor } = signedIn(context)
    if (!mergesCustomers(actor)) refuse('not-found')
    const customer = await customerToActFor(db, actor, id)
    const name = calledBy(customer)
    const other = url.searchParams.get('otra')
    if (other !== null) return { id, name, pair: await comparedPair(), search: null }
    const text = tidy(url.searchParams.get('q')).slice(0, 100).trim()
    const [likely, found] = await Promise.all([
      likelyDuplicates(db, actor, customer),
      text ? findDuplicates(db, actor, id, text) : [],
    ])
    return { id, name, pair: null, search: { text, found, likely } }

    async function comparedPair() {
      const [here, there] = await pairOf(db, id, other!)
      const wanted = url.searchParams.get('queda')
      const proposed = proposedToStand(here, there)
      const kept = [here, there].find((side) => side.id === wanted) ?? proposed
      const ended = kept === here ? there : here
      const obstacle = whyNotMerged(kept, ended)
      // A record that has no page of its own is only named in the refusal.
      const compared = here.id !== there.id && [here, there].every((side) => side.active && isCustomer(side))
      return {
        obstacle,
        keptId: kept.id,
        endedId: ended.id,
        otherWay: obstacle !== null && whyNotMerged(ended, kept) === null,
        words: mergeInWords(kept, ended),
        sides: compared
          ? await Promise.all([here.id, there.id].map((side) => comparedCustomer(db, actor, side)))
          : [],
      }
    }
  })

export const action = forms(({ context, params: { id } }: Route.ActionArgs) => {
  const { db, actor } = signedIn(context)
  if (!mergesCustomers(actor)) refuse('permission-denied')
  return {
    merge: form(mergeInput.merge, async ({ endedId, keptId, nameOf, phoneOf }) => {
      if (![endedId, keptId].includes(id)) refuse('invalid-argument')
      await mergeCustomers(db, actor, { keptId, endedId, nameOf, phoneOf }, new Date())
      return redirectWithToast(
        customerPath(keptId),
        'Ya es una sola ficha',
        'Durante 24 horas puedes deshacerlo aquí.',
      )
    }),
  }
})

export default function CustomerMerge({ loaderData: { id, name, pair, search } }: Route.ComponentProps) {
  return (
    <>
      <PageHeader
        title="Es la misma persona que…"
        subtitle={`Une la ficha de ${name} con otra`}
        back={pair ? { to: mergePath(id), label: 'Elegir otra' } : { to: customerPath(id), label: name }}
      />
      <OrphanedFormError />
      {search && <FindOther id={id} {...search} />}
      {pair && <Comparison id={id} {...pair} />}
    </>
  )
}

type FindProps = { id: string; text: string; found: Duplicate[]; likely: Duplicate[] }

function FindOther({ found, id, likely, text }: FindProps) {
  return (
    <div className="grid gap-4 lg:max-w-3xl">
      <Card title="Parecidas">
        {likely.length > 0 ? (
          <Choices id={id} rows={likely} />
        ) : (
          <p className="text-mute">Nadie más tiene su teléfono ni su nombre.</p>
        )}
      </Card>
      <Card title="Buscar otra">
        <SearchForm
          method="get"
          action={mergePath(id)}
          role="search"
          className="grid items-end gap-3 sm:grid-cols-[1fr_auto]"
        >
          <Field
            label="Buscar a un cliente"
            name="q"
            type="search"
            optional="unsaid"
            enterKeyHint="search"
            placeholder="Nombre, correo o teléfono"
            maxLength={100}
            defaultValue={text}
          />
          <Button type="submit" variant="ghost">
            Buscar
          </Button>
        </SearchForm>
        {found.length > 0 && <Choices id={id} rows={found} />}
        {text !== '' && found.length === 0 && <p className="text-mute">No encontramos a nadie más.</p>}
      </Card>
    </div>
  )
}

const Choices = ({ id, rows }: { id: string; rows: Duplicate[] }) => (
  <ul className="grid gap-2">
    {rows.map(({ email, id: other, isName, isPhone, name, phone }) => (
      <li key={other}>
        <Link
          to={`${mergePath(id)}?otra=${other}`}
          className="flex min-h-14 items-center justify-between gap-3 rounded-control border border-line px-3.5 py-2.5 text-ink no-underline hover:bg-hover"
        >
          <span className="grid min-w-0">
            <span className="font-semibold wrap-anywhere">{name}</span>
            <span className="text-sm text-mute wrap-anywhere">
              {[phone && formatPhone(phone), shownEmail(email)].filter(Boolean).join(' · ')}
            </span>
            {(isPhone || isName) && (
              <span className="mt-1 flex flex-wrap gap-1.5">
                {isPhone && <Badge tone="info">Mismo teléfono</Badge>}
                {isName && <Badge tone="info">Mismo nombre</Badge>}
              </span>
            )}
          </span>
          <ChevronRight aria-hidden className="size-5 shrink-0 text-mute" />
        </Link>
      </li>
    ))}
  </ul>
)

type Pair = NonNullable<Route.ComponentProps['loaderData']['pair']>

function Comparison({ endedId, id, keptId, obstacle, otherWay, sides, words }: Pair & { id: string }) {
  const other = id === keptId ? endedId : keptId
  const standing = (side: string) => `${mergePath(id)}?otra=${other}&queda=${side}`
  return (
    <div className="grid gap-4">
      {obstacle && (
        <Alert
          tone="bad"
          title="Así no se pueden unir"
          actions={otherWay && <LinkButton to={standing(endedId)}>Que quede la otra</LinkButton>}
        >
          {obstacle}
        </Alert>
      )}
      <div className="grid items-start gap-4 lg:grid-cols-2">
        {sides.map((side) => (
          <SideCard key={side.id} side={side} isKept={side.id === keptId} standPath={standing(side.id)} />
        ))}
      </div>
      {!obstacle && <MergeForm kept={sideOf(sides, keptId)} ended={sideOf(sides, endedId)} words={words} />}
    </div>
  )
}

const sideOf = (sides: ComparedCustomer[], id: string) => sides.find((side) => side.id === id)!

type SideProps = { side: ComparedCustomer; isKept: boolean; standPath: string }

const shownAtOnce = 5
const more = (count: number) => (count > shownAtOnce ? `y ${count - shownAtOnce} más` : null)

/** One of the two records: who it is, and what it has. */
function SideCard({ isKept, side, standPath }: SideProps) {
  const { appointments, createdAt, email, emailVerified, name, payments, phone, projects } = side
  return (
    <Card
      title={name}
      aside={isKept ? <Badge tone="ok">Queda esta ficha</Badge> : <Link to={standPath}>Que quede esta</Link>}
    >
      <DefinitionList
        items={[
          { term: 'Teléfono', value: phone ? formatPhone(phone) : 'No lo ha dado' },
          {
            term: 'Correo',
            value: (
              <span className="grid justify-items-start gap-1.5">
                <span className="break-all">{shownEmail(email)}</span>
                {hasMailbox(email) && (
                  <Badge tone={emailVerified ? 'ok' : 'wait'}>
                    {emailVerified ? 'Correo confirmado' : 'Correo sin confirmar'}
                  </Badge>
                )}
              </span>
            ),
          },
          { term: 'Cliente desde', value: shortDate(createdAt) },
          { term: 'Su ficha', value: <Link to={customerPath(side.id)}>Abrirla</Link> },
        ]}
      />
      <Part title="Proyectos" rows={projects} none="Ninguno">
        {({ address, id, isOpen, since, stage }) => (
          <PartRow
            key={id}
            note={[address && addressLine(address), `desde ${shortDate(since)}`].filter(Boolean).join(', ')}
            badge={!isOpen && <Badge tone="neutral">Cerrado</Badge>}
          >
            {stageLabels[stage]}
          </PartRow>
        )}
      </Part>
      <Part title="Citas" rows={appointments} none="Ninguna">
        {({ folio, id, service, startsAt, state }) => (
          <PartRow
            key={id}
            note={`${folio}, ${dateTime(startsAt)}`}
            badge={<Badge tone={stateFacts[state].tone}>{stateFacts[state].label}</Badge>}
          >
            {serviceFacts[service].label}
          </PartRow>
        )}
      </Part>
      <Part title="Pagos" rows={payments} none="Ninguno">
        {({ folio, id, state, ...payment }) => (
          <PartRow key={id} note={folio} badge={<PaymentBadge state={state} />}>
            {`${conceptOf(payment)}, ${money(payment.amount)}`}
          </PartRow>
        )}
      </Part>
    </Card>
  )
}

type PartProps<Row> = { title: string; rows: Row[]; none: string; children: (row: Row) => React.ReactNode }

const Part = <Row,>({ children, none, rows, title }: PartProps<Row>) => (
  <section className="grid gap-3 border-t border-line pt-4">
    <h3 className="font-semibold">{title}</h3>
    {rows.length === 0 ? (
      <p className="text-mute">{none}</p>
    ) : (
      <ul className="grid gap-3">{rows.slice(0, shownAtOnce).map(children)}</ul>
    )}
    {more(rows.length) && <p className="text-sm text-mute">{more(rows.length)}</p>}
  </section>
)

type MergeFormProps = { kept: ComparedCustomer; ended: ComparedCustomer; words: string[] }

/** What happens, in words; whose name and phone are kept, where they differ; and the confirmation. */
function MergeForm({ ended, kept, words }: MergeFormProps) {
  return (
    <Card title="Qué va a pasar">
      <ul className="grid list-disc gap-2 pl-5">
        {words.map((line) => (
          <li key={line} className="wrap-anywhere">
            {line}
          </li>
        ))}
      </ul>
      <Form intent="merge" target={{ keptId: kept.id, endedId: ended.id }}>
        <Choice name="nameOf" label="¿Qué nombre queda?" kept={kept.fullName} ended={ended.fullName} />
        <Choice
          name="phoneOf"
          label="¿Qué teléfono queda?"
          kept={kept.phone && formatPhone(kept.phone)}
          ended={ended.phone && formatPhone(ended.phone)}
        />
        <Checkbox name="confirmed" label="Confirmé que es la misma persona" />
        <ActionBar>
          <Submit>Unir las dos fichas</Submit>
        </ActionBar>
      </Form>
    </Card>
  )
}

type ChoiceProps = { name: string; label: string; kept: string | null; ended: string | null }

/** A choice between the values of both; none where they are the same, or only one has any. */
function Choice({ ended, kept, label, name }: ChoiceProps) {
  const only = !ended || ended === kept ? 'kept' : kept ? null : 'ended'
  if (only) return <input type="hidden" name={name} value={only} />
  const options = [
    { value: 'kept', label: kept },
    { value: 'ended', label: ended },
  ]
  return <RadioCards name={name} label={label} options={options} value="kept" />
}
