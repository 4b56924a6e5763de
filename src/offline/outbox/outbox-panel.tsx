import { CloudCheck, RotateCw, Trash2, Undo2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { fileSize, relative } from '../../shared/format.ts'
import type { Tone } from '../../shared/state-machine.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { DialogWindow } from '../../ui/dialog-window.tsx'
import { Progress } from '../../ui/progress.tsx'
import type { OutboxItem } from './outbox-items.ts'
import { CallOffice, TypedNote } from './refused.tsx'

type OutboxPanelProps = {
  items: readonly OutboxItem[]
  /** Why nothing is sent; null while it can be. */
  held: string | null
  now: Date
  onRetry: (id?: string) => void
  onDiscard: (id: string) => void
  onClose: () => void
}

/** What waits on this phone to be sent: how much, since when, how far, and what to do about refused items. */
export function OutboxPanel({ items, held, now, onRetry, onDiscard, onClose }: OutboxPanelProps) {
  return (
    <DialogWindow
      title={items.length === 0 ? 'Nada por enviar' : `Por enviar: ${items.length}`}
      description={
        held ?? 'Ya está guardado en tu teléfono. Se envía solo cuando haya señal; deja la app abierta.'
      }
      onClose={onClose}
      focusAfter={() => document.querySelector<HTMLElement>('[data-outbox]')}
    >
      {items.length === 0 ? (
        <p className="flex items-center gap-3 rounded-card bg-brand-soft p-4">
          <CloudCheck aria-hidden className="size-6 shrink-0 text-brand" />
          En este teléfono no queda nada por enviar.
        </p>
      ) : (
        <>
          {byAppointment(items).map((some) => (
            <section key={some[0]!.folio} className="grid gap-2">
              <Heading items={some} />
              <ul className="grid gap-2">
                {some.map((item) => (
                  <Item
                    key={`${item.id}-${item.words}`}
                    item={item}
                    now={now}
                    onRetry={onRetry}
                    onDiscard={onDiscard}
                  />
                ))}
              </ul>
            </section>
          ))}
          <Button onClick={() => onRetry()}>
            <RotateCw aria-hidden className="size-5" />
            Reintentar todo
          </Button>
        </>
      )}
    </DialogWindow>
  )
}

/** What waits, in one list for each appointment that it is of. */
export function byAppointment(items: readonly OutboxItem[]): OutboxItem[][] {
  const folios = [...new Set(items.map(({ folio }) => folio))]
  return folios.map((folio) => items.filter((item) => item.folio === folio))
}

/** Whose house and which appointment; rows of an older version name only that. Time off is of none. */
function Heading({ items }: { items: readonly OutboxItem[] }) {
  const folio = items[0]!.folio
  const customer = items.find((item) => item.customer)?.customer
  return (
    <h3 className="flex flex-wrap items-baseline gap-x-2 font-semibold">
      {customer && <span className="wrap-anywhere">{customer}</span>}
      <span className={customer && 'text-sm font-normal text-mute'}>{folio || 'Tus permisos'}</span>
    </h3>
  )
}

const states: Record<OutboxItem['status'], { tone: Tone; words: string }> = {
  waiting: { tone: 'wait', words: 'Por enviar' },
  sending: { tone: 'info', words: 'Enviando' },
  refused: { tone: 'bad', words: 'No se aceptó' },
  choose: { tone: 'wait', words: 'Falta que elijas' },
}

type ItemProps = Pick<OutboxPanelProps, 'now' | 'onRetry' | 'onDiscard'> & { item: OutboxItem }

function Item({ item, now, onRetry, onDiscard }: ItemProps) {
  const { at, bytes, canTakeBack, form, id, isOwn, problem, progress, status, words } = item
  const { tone, words: state } = states[status]
  const facts = [relative(at, now), bytes && fileSize(bytes)].filter(Boolean)
  return (
    <li className="grid gap-2 rounded-card border border-line p-3">
      <div className="grid gap-0.5">
        <div className="flex items-start justify-between gap-3">
          <span className="min-w-0 font-semibold wrap-anywhere">{words}</span>
          <Badge tone={tone}>{state}</Badge>
        </div>
        <span className="text-sm text-mute">{facts.join(' · ')}</span>
      </div>
      {status === 'sending' && bytes !== null && <Progress label={`Enviando: ${words}`} value={progress} />}
      {status === 'choose' && (
        <Words>
          {isOwn ? 'Lo cambiaste en otro teléfono.' : 'La oficina cambió lo mismo.'} Abre la cita y elige con
          cuál te quedas.
        </Words>
      )}
      {problem && (
        <Words>
          {problem.title}. {problem.description}
        </Words>
      )}
      {problem && <TypedNote form={form} />}
      {status === 'waiting' && canTakeBack && (
        <Button
          variant="ghost"
          className="justify-self-start"
          onClick={() => confirm(`¿Deshacer «${words}»? No se enviará.`) && onDiscard(id)}
        >
          <Undo2 aria-hidden className="size-5" />
          Deshacer
        </Button>
      )}
      {status === 'refused' && (
        <div className="flex flex-wrap gap-4">
          <Button variant="ghost" onClick={() => onRetry(id)}>
            <RotateCw aria-hidden className="size-5" />
            Reintentar
          </Button>
          <Button
            variant="ghost"
            onClick={() => confirm(`¿Borrar «${words}» de tu teléfono? No se enviará.`) && onDiscard(id)}
          >
            <Trash2 aria-hidden className="size-5" />
            Borrar
          </Button>
          <CallOffice />
        </div>
      )}
    </li>
  )
}

const Words = ({ children }: { children: ReactNode }) => <p className="text-[0.9375rem]">{children}</p>
