import { MessageCircle } from 'lucide-react'
import { type ReactNode, useId } from 'react'
import type { AccessLetter } from '../../accounts/access-letters.ts'
import { StageBadge } from '../../agencies/screens/badges.tsx'
import { Select, TextArea } from '../../kit/form/field.tsx'
import { Form, FormDetails, Submit } from '../../kit/form/form.tsx'
import { addressLine, areaNotices } from '../../projects/rules/address.ts'
import { pinOf } from '../../projects/rules/pin.ts'
import { customerPath } from '../../projects/rules/pipeline.ts'
import { lostReasons } from '../../projects/rules/stages.ts'
import {
  dateTime,
  formatPhone,
  longDate,
  mapLink,
  relative,
  shortDate,
  telLink,
  whatsappLink,
} from '../../shared/format.ts'
import { hasMailbox, shownEmail } from '../../shared/mailbox.ts'
import { Alert } from '../../ui/alert.tsx'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass, LinkButton } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { Link } from '../../ui/link.tsx'
import type { CustomerFile } from '../customer-file.ts'
import type { ProjectEnding } from '../ending.ts'
import type { StandingMerge } from '../unmerge.ts'
import { AreaForm } from './tasks.tsx'

type ContactProps = {
  file: CustomerFile
  /** What a message by WhatsApp begins with. */
  greeting: string
  /** The forms that correct it, for who may. */
  children?: ReactNode
}

/** How to reach the customer. */
export function ContactCard({ children, file, greeting }: ContactProps) {
  const { createdAt, email, emailVerified, phone } = file
  return (
    <Card title="Contacto">
      {phone && (
        <div className="grid grid-cols-2 gap-3">
          <a className={buttonClass('ghost', 'px-2!')} href={telLink(phone)}>
            <span className="sr-only">Llamar al</span>
            <span className="whitespace-nowrap">{formatPhone(phone)}</span>
          </a>
          <a
            className={buttonClass('ghost', 'px-2!')}
            href={whatsappLink(phone, greeting)}
            target="_blank"
            rel="noreferrer"
          >
            <MessageCircle aria-hidden className="size-5 shrink-0" />
            WhatsApp
          </a>
        </div>
      )}
      <DefinitionList
        items={[
          { term: 'Teléfono', value: phone ? null : 'No lo ha dado' },
          {
            term: 'Correo',
            value: hasMailbox(email) ? (
              <span className="grid justify-items-start gap-1.5">
                <a href={`mailto:${email}`} className="break-all">
                  {email}
                </a>
                {emailVerified !== null && (
                  <Badge tone={emailVerified ? 'ok' : 'wait'}>
                    {emailVerified ? 'Correo confirmado' : 'Correo sin confirmar'}
                  </Badge>
                )}
              </span>
            ) : (
              'No tiene'
            ),
          },
          { term: 'Cliente desde', value: shortDate(createdAt) },
        ]}
      />
      {children}
    </Card>
  )
}

type AccessProps = {
  letter: AccessLetter
  phone: string | null
  /** The page where customers sign in. */
  signInUrl: string
  /** The link that was just made, shown this once. */
  link: string | undefined
  brand: string
}

const ways: Record<AccessLetter, string> = {
  claim_account: 'Todavía no entra a su cuenta: le falta elegir su contraseña.',
  verify_email: 'Ya tiene contraseña, pero no ha confirmado su correo.',
  reset_password: 'Entra con su correo. Si perdió su contraseña, reenvíale el acceso y elige otra.',
}

/** For a customer without a mailbox. */
export const NoAccessCard = () => (
  <Card title="Acceso a su cuenta">
    <p className="text-[0.9375rem] text-mute">
      No tiene correo, y lo necesita para entrar. En cuanto lo tengas, escríbelo en «Cambiar su correo».
    </p>
  </Card>
)

/** How the customer gets into their account, and what helps where they can't: the letter again, or a link to hand over. */
export function AccessCard({ brand, letter, link, phone, signInUrl }: AccessProps) {
  const shared = letter === 'claim_account' ? link : signInUrl
  const message = `Hola, este es tu acceso a ${brand}: ${shared}`
  return (
    <Card title="Acceso a su cuenta">
      <p className="text-[0.9375rem] text-mute">{ways[letter]}</p>
      <Form intent="resend-access">
        <Submit variant="ghost">Reenviar acceso</Submit>
      </Form>
      {shared ? (
        <>
          <p className="rounded-card bg-hover p-3 font-mono text-sm break-all">{shared}</p>
          {letter === 'claim_account' && (
            <p className="text-sm text-mute">
              Sirve una vez, durante 7 días, y no lo volvemos a mostrar. Compártelo solo con el cliente: con
              él elige su contraseña.
            </p>
          )}
          <div className="flex flex-wrap gap-3 *:grow">
            <CopyButton text={shared} label="Copiar enlace" />
            {phone && (
              <a
                className={buttonClass('ghost')}
                href={whatsappLink(phone, message)}
                target="_blank"
                rel="noreferrer"
              >
                <MessageCircle aria-hidden className="size-5 shrink-0" />
                Enviarlo
                <span className="sr-only">por WhatsApp</span>
              </a>
            )}
          </div>
        </>
      ) : (
        <Form intent="access-link">
          <Submit variant="ghost">Crear enlace de acceso</Submit>
        </Form>
      )}
    </Card>
  )
}

type HomeProps = {
  /** Null where it was not given yet. */
  address: CustomerFile['projects'][number]['address'] | null
  areaTask: string | null
  /** Where it is entered and corrected; null for who may not. */
  editPath: string | null
}

/** The home of the project: where, whether we reach it, who receives. */
export function HomeCard({ address, areaTask, editPath }: HomeProps) {
  if (!address)
    return (
      <Card title="Domicilio">
        <p className="text-mute">Todavía no tiene domicilio registrado.</p>
        {editPath && (
          <LinkButton to={editPath} variant="ghost">
            Registrar domicilio
          </LinkButton>
        )}
      </Card>
    )
  const line = addressLine(address)
  const notice = areaNotices[address.area]
  const { receiverName, receiverPhone } = address
  return (
    <Card title="Domicilio" aside={editPath && <Link to={editPath}>Corregir</Link>}>
      <p className="wrap-anywhere">{line}</p>
      {notice && (
        <Badge tone="wait" className="justify-self-start">
          {address.area === 'to_verify' ? 'Por verificar' : 'Todavía no llegamos'}
        </Badge>
      )}
      <p>
        <a href={mapLink(line, pinOf(address))} target="_blank" rel="noreferrer">
          Ver en el mapa
        </a>
      </p>
      {areaTask && address.area === 'to_verify' && <AreaForm taskId={areaTask} home={address} />}
      <DefinitionList
        className="empty:hidden"
        items={[
          { term: 'Recibe', value: receiverName },
          {
            term: 'Su teléfono',
            value: receiverPhone && <a href={telLink(receiverPhone)}>{formatPhone(receiverPhone)}</a>,
          },
          { term: 'Acceso', value: address.gateNotes },
        ]}
      />
    </Card>
  )
}

/** That another record was merged into this one, and the way back as long as there is one. */
export function MergeNotice({ merge: { at, by, email, id, name, until }, now }: MergeNoticeProps) {
  if (until === null) return null
  return (
    <Alert tone="info" title={`Se unió con la ficha de ${name} (${shownEmail(email)})`}>
      <div className="grid justify-items-start gap-3">
        <p>
          {by}, {relative(at, now)}. Se puede deshacer hasta el {dateTime(until)}: cada ficha recupera lo
          suyo, y los enlaces de acceso se mandan otra vez.
        </p>
        <Form intent="undo-merge" target={{ mergeId: id }}>
          <Submit variant="ghost">Deshacer la unión</Submit>
        </Form>
      </div>
    </Alert>
  )
}

type MergeNoticeProps = { merge: StandingMerge; now: Date }

type ProjectsProps = { customerId: string; projects: CustomerFile['projects']; chosen: string }

/** All projects of a customer who has several, the shown one marked. */
export function ProjectsCard({ chosen, customerId, projects }: ProjectsProps) {
  const id = useId()
  return (
    <nav aria-labelledby={id} className="grid gap-2">
      <h2 id={id} className="sr-only">
        Proyectos
      </h2>
      <ul className="grid gap-2 sm:grid-cols-2">
        {projects.map((project) => (
          <li key={project.id} className="grid">
            <Link
              to={customerPath(customerId, project.id)}
              aria-current={project.id === chosen ? 'true' : undefined}
              className={classNames(
                'flex min-h-14 flex-wrap items-center justify-between gap-2 rounded-control border px-3.5 py-2.5 no-underline',
                project.id === chosen
                  ? 'border-brand bg-brand-soft text-ink'
                  : 'border-line bg-card text-ink hover:bg-hover',
              )}
            >
              <span className="grid min-w-0">
                <span className="font-medium wrap-anywhere">
                  {project.address
                    ? `${project.address.street} ${project.address.outerNumber}`
                    : 'Sin domicilio'}
                </span>
                <span className="text-sm text-mute">{`Desde el ${shortDate(project.createdAt)}`}</span>
              </span>
              <StageBadge stage={project.stage} />
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

export type CustomerActions = { label: string; to: string }[]

/** What is done next for a customer, each where it is done. */
export const ActionLinks = ({ actions }: { actions: CustomerActions }) =>
  actions.map(({ label, to }, n) => (
    <LinkButton key={to} to={to} variant={n === 0 ? 'primary' : 'ghost'}>
      {label}
    </LinkButton>
  ))

const reasons = Object.entries(lostReasons).map(([value, label]) => ({ value, label }))

type ProjectEndingProps = {
  ending: ProjectEnding
  /** Whether the actor asks the manager to, since an appointment is booked. */
  asks: boolean
}

/** Ends a customer's project with a reason, or says why it ended and how to reopen it; nothing once installed. */
export function ProjectEndingCard({ asks, ending }: ProjectEndingProps) {
  const { closedAt, id, lostNote, lostReason, mayReopen, otherOpen, stage } = ending
  const about = <input type="hidden" name="projectId" value={id} />
  if (closedAt && lostReason)
    return (
      <Card title="Proyecto no concretado">
        <p>
          {lostReasons[lostReason]}, {longDate(closedAt)}.{lostNote && ` ${lostNote}`}
        </p>
        {otherOpen && (
          <p className="text-mute">Tiene otro proyecto abierto: si reabres este, llevará los dos.</p>
        )}
        {mayReopen && (
          <Form intent="reopen-project">
            {about}
            <Submit variant="ghost">Reabrir proyecto</Submit>
          </Form>
        )}
      </Card>
    )
  if (closedAt || stage === 'closed' || stage === 'cfe') return null
  return (
    <Card title="Proyecto">
      <FormDetails
        summary="Cerrar como No concretado"
        intent={asks ? 'ask-to-lose' : 'lose-project'}
        intro={
          <p className="text-mute">
            {asks && 'Tiene una cita agendada, que solo la gerencia cancela: se lo pides con tu motivo. '}
            Cancela sus citas, retira sus cotizaciones y deja de cobrar lo pendiente. La gerencia puede
            reabrirlo.
          </p>
        }
      >
        {about}
        <Select label="Motivo" name="reason" placeholder="Elige un motivo" options={reasons} />
        <TextArea label="¿Qué pasó?" name="note" optional maxLength={500} />
        <Submit variant={asks ? 'primary' : 'destructive'}>
          {asks ? 'Pedir a la gerencia' : 'Cerrar proyecto'}
        </Submit>
      </FormDetails>
    </Card>
  )
}
