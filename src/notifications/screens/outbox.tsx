import { Mail } from 'lucide-react'
import { refusalsAsResponses } from '../../kit/refusals-as-responses.ts'
import { requestOf } from '../../kit/request.ts'
import { dateTime } from '../../shared/format.ts'
import { refuse } from '../../shared/refusal.ts'
import { Alert } from '../../ui/alert.tsx'
import { Card, cardClass, EmptyState } from '../../ui/card.tsx'
import { classNames } from '../../ui/class-names.ts'
import { Link } from '../../ui/link.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { keptEmail, newestEmails } from '../transport.ts'
import type { Route } from './+types/outbox.ts'

// For development only, and no part of the specification: outside the local demo world it does not exist.
export const loader = ({ context, request }: Route.LoaderArgs) =>
  refusalsAsResponses(async () => {
    const folder = requestOf(context).outbox ?? refuse('not-found')
    const file = new URL(request.url).searchParams.get('carta')
    if (file === null) return { letters: await newestEmails(folder), open: null }
    return { letters: [], open: (await keptEmail(folder, file)) ?? refuse('not-found') }
  })

type Listed = Route.ComponentProps['loaderData']['letters'][number]

/** The e-mails that had no mail server to go to. */
export default function Outbox({ loaderData: { letters, open } }: Route.ComponentProps) {
  if (open) return <OpenLetter letter={open} />
  return (
    <div className="grid gap-6">
      <PageHeader title="Correo de prueba" subtitle="Los últimos 50 correos, en lugar de enviarse." />
      <Alert tone="wait" title="Solo para desarrollo">
        Aquí cualquiera lee los correos de todas las personas. Existe únicamente en la demostración local, sin
        servidor de correo y con datos inventados.
      </Alert>
      {letters.length === 0 ? (
        <EmptyState icon={Mail}>Todavía no hay correos. Agenda una visita y aparecerá el primero.</EmptyState>
      ) : (
        <LetterList letters={letters} />
      )}
    </div>
  )
}

function LetterList({ letters }: { letters: readonly Listed[] }) {
  return (
    <ul className={classNames(cardClass, 'divide-y divide-line')}>
      {letters.map(({ file, subject, to, at }) => (
        <li key={file} className="grid gap-1 p-4">
          <Link
            to={`?carta=${encodeURIComponent(file)}`}
            className="font-semibold underline-offset-4 hover:underline"
          >
            {subject}
          </Link>
          <span className="text-sm break-words text-mute">
            {to} · {dateTime(at)}
          </span>
        </li>
      ))}
    </ul>
  )
}

function OpenLetter({ letter: { subject, to, at, text } }: { letter: Listed }) {
  return (
    <div className="grid gap-6">
      <PageHeader
        title={subject}
        subtitle={`Para ${to} · ${dateTime(at)}`}
        back={{ to: '/dev/correo', label: 'Correo de prueba' }}
      />
      <Card>
        <pre className="font-sans break-words whitespace-pre-wrap">{text}</pre>
      </Card>
    </div>
  )
}
