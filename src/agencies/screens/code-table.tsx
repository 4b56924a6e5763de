import { MessageCircle, Printer, TicketPercent } from 'lucide-react'
import { Form, Submit, useFormResult } from '../../kit/form/form.tsx'
import { choiceFilter, searched } from '../../kit/list/filters.ts'
import type { List, ListColumn } from '../../kit/list/list-body.tsx'
import { shortDate, thousands, whatsappShare } from '../../shared/format.ts'
import type { Tone } from '../../shared/state-machine.ts'
import { Badge } from '../../ui/badge.tsx'
import { buttonClass } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { Link } from '../../ui/link.tsx'
import type { AskableMove, ListedCode } from '../codes.ts'
import { codeMessage } from '../rules/clients.ts'
import { type CodeState, codeStates } from '../rules/codes.ts'

const words: Record<AskableMove, { label: string; note: string }> = {
  activate: { label: 'Activar', note: 'A partir de ahí se puede usar.' },
  ask: { label: 'Pedir aprobación', note: 'Su beneficio pasa del límite de tu concesionaria.' },
  pause: { label: 'Pausar', note: 'Nadie lo puede usar hasta que lo reactives.' },
  resume: { label: 'Reactivar', note: 'Se puede usar otra vez.' },
  revoke: { label: 'Revocar', note: 'Para siempre. Quien ya lo usó conserva su beneficio.' },
}

/** What can be done with a code, each with what that means. */
export function CodeMoves({ code }: { code: ListedCode }) {
  const which = { intent: code.moves.map((name) => `codes.${name}`), target: { codeId: code.id } }
  const result = useFormResult(which.intent, which.target)
  return (
    <Dialog
      key={code.version}
      trigger={
        <>
          Cambiar<span className="sr-only"> {code.text}</span>
        </>
      }
      variant="ghost"
      title={`Código ${code.text}`}
      description={code.benefit}
      defaultOpen={result !== undefined}
    >
      <Form {...which} className="gap-4">
        <input type="hidden" name="version" value={code.version} />
        {code.moves.map((name) => (
          <div key={name} className="grid gap-1.5">
            <Submit
              name="intent"
              value={`codes.${name}`}
              variant={name === 'revoke' ? 'destructive' : name === 'pause' ? 'ghost' : 'primary'}
            >
              {words[name].label}
            </Submit>
            <p className="text-sm text-mute">{words[name].note}</p>
          </div>
        ))}
      </Form>
    </Dialog>
  )
}

type House = { agency: string; baseUrl: string; brand: string }

/** Ways to share a code: its link, a WhatsApp message, and the card for the counter. */
function ShareCode({ code, house }: { code: ListedCode; house: House }) {
  const { benefit, id, moves, state, text } = code
  const link = `${house.baseUrl}/approach?codigo=${text}`
  const message = codeMessage({
    code: text,
    benefit,
    agency: house.agency,
    brand: house.brand,
    address: link,
  })
  return (
    <Dialog
      trigger={
        <>
          {moves.includes('resume') ? 'Reactivar y compartir' : 'Compartir'}
          <span className="sr-only"> {text}</span>
        </>
      }
      variant="ghost"
      title={`Compartir ${text}`}
      description={
        state === 'paused' ? 'Está en pausa: su enlace abre, pero nadie lo puede usar ahora.' : benefit
      }
    >
      {moves.includes('resume') && (
        <Form intent="codes.resume" target={{ codeId: id }}>
          <input type="hidden" name="version" value={code.version} />
          <Submit>Reactivar</Submit>
        </Form>
      )}
      <p className="rounded-control bg-hover px-3 py-2.5 text-[0.9375rem] wrap-anywhere select-all">{link}</p>
      <div className="grid gap-3">
        <CopyButton text={link} label="Copiar enlace" />
        <a className={buttonClass('ghost')} href={whatsappShare(message)} target="_blank" rel="noreferrer">
          <MessageCircle aria-hidden className="size-5 text-brand" />
          Enviar por WhatsApp
        </a>
        <a className={buttonClass('ghost')} href={`/papers/code/${id}.pdf`} target="_blank" rel="noreferrer">
          <Printer aria-hidden className="size-5 text-brand" />
          Tarjeta para el mostrador (PDF)
        </a>
      </div>
    </Dialog>
  )
}

const tones: Record<CodeState, Tone> = {
  draft: 'neutral',
  active: 'ok',
  paused: 'wait',
  exhausted: 'info',
  expired: 'bad',
  revoked: 'bad',
}

/** The state of a code, in a word or two. */
const CodeBadge = ({ code: { awaits, isEarly, state } }: { code: ListedCode }) =>
  awaits ? (
    <Badge tone="wait">Por aprobar</Badge>
  ) : (
    <Badge tone={isEarly ? 'wait' : tones[state]}>{isEarly ? 'Programado' : codeStates[state]}</Badge>
  )

/** "Desde el 1 dic 2026", "Hasta el 31 dic 2026", or both. */
export function validity({ endsOn, isEarly, startsOn }: ListedCode): string {
  const from = isEarly ? `Desde el ${shortDate(startsOn)}` : ''
  if (endsOn === null) return from || 'Sin vencimiento'
  return from ? `${from} y hasta el ${shortDate(endsOn)}` : `Hasta el ${shortDate(endsOn)}`
}

const shareable: readonly CodeState[] = ['active', 'paused']

export const codeColumns: readonly ListColumn<ListedCode, unknown>[] = [
  {
    header: 'Código',
    main: true,
    cell: ({ label, text }) => (
      <>
        <span className="font-mono font-semibold tracking-wide whitespace-nowrap">{text}</span>
        {label && <span className="block text-sm font-normal text-mute wrap-anywhere">{label}</span>}
      </>
    ),
  },
  { header: 'Estado', cell: (code) => <CodeBadge code={code} /> },
  // Beside so many columns the words would break letter by letter.
  {
    header: 'Beneficio',
    cell: ({ benefit }) => <span className="lg:inline-block lg:min-w-20">{benefit}</span>,
  },
  {
    header: 'Vigencia',
    cell: (code) => <span className="lg:inline-block lg:min-w-20">{validity(code)}</span>,
  },
  {
    header: 'Usos',
    numeric: true,
    cell: ({ maxUses, uses }) => (
      <span className="whitespace-nowrap">
        {thousands(uses)} de {thousands(maxUses)}
      </span>
    ),
  },
]

/** Wide enough for most first names: beside so many columns they would break. */
export const Owner = ({ name }: { name: string | null }) => (
  <span className="lg:inline-block lg:min-w-16">{name}</span>
)

/** Of an ally's own codes and those of the colleagues. */
export const ownCodeColumns: readonly ListColumn<ListedCode, { house: House }>[] = [
  ...codeColumns,
  {
    header: 'Clientes',
    numeric: true,
    cell: ({ clients, id, text }) =>
      clients === 0 ? (
        '0'
      ) : (
        <Link
          to={`/admin/alliate/clients?code=${id}`}
          className="inline-flex min-h-11 min-w-11 items-center justify-end font-semibold text-brand underline underline-offset-2 lg:min-h-0"
        >
          {thousands(clients)}
          <span className="sr-only">
            {' '}
            {clients === 1 ? 'cliente' : 'clientes'} del código {text}
          </span>
        </Link>
      ),
  },
  { header: 'Aliado', cell: ({ isMine, owner }) => <Owner name={isMine ? 'Tú' : owner} /> },
  {
    header: 'Acciones',
    cell: (code, { house }) => {
      const isShared = shareable.includes(code.state)
      const isMoved = code.moves.length > 0
      if (!isShared && !isMoved) return null
      return (
        <div className="flex flex-wrap justify-end gap-2 lg:justify-start min-[88rem]:flex-nowrap">
          {isShared && <ShareCode code={code} house={house} />}
          {isMoved && <CodeMoves code={code} />}
        </div>
      )
    },
  },
]

/** What the two figures of a code count; before the codes, since on a phone these are many screens. */
export const CodeCounts = () => (
  <p className="text-sm text-mute">
    <b className="font-semibold text-ink">Usos</b>: quienes ya recibieron el beneficio.{' '}
    <b className="font-semibold text-ink">Clientes</b>: todos los que llegaron con el código, con cuenta o sin
    ella.
  </p>
)

export const codeList = {
  path: '/admin/alliate/codes',
  title: 'Códigos',
  words: ['código', 'códigos'],
  icon: TicketPercent,
  empty: 'Todavía no hay códigos. Crea uno y compártelo: quien lo use queda como cliente tuyo.',
  narrowed: 'Ningún código coincide con lo que buscas.',
  all: 'Ver todos',
  filters: { text: searched('Código o para qué es', 80), state: choiceFilter('Estado', codeStates) },
} satisfies List
