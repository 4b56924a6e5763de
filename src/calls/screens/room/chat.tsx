import { SendHorizontal } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { controlClass } from '../../../kit/form/field.tsx'
import { time } from '../../../shared/format.ts'
import { classNames } from '../../../ui/class-names.ts'
import type { ChatLine } from '../../rules/protocol.ts'
import { longestLine } from '../../rules/room.ts'
import type { OnCall } from './props.ts'

/** What both write to each other. It works without a picture, and what is written waits for the server. */
export function Chat({ call, entry, state: { chat, phase, unsent } }: OnCall) {
  const list = useRef<HTMLDivElement>(null)
  const last = chat.at(-1)?.id
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new line is scrolled to.
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [last])
  return (
    <div className="flex min-h-0 flex-1 flex-col">
      <div
        ref={list}
        role="log"
        aria-label="Mensajes"
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a list that scrolls is read by keyboard as well.
        tabIndex={0}
        className="min-h-0 flex-1 overflow-y-auto p-3"
      >
        <ul className="grid gap-2">
          {chat.length === 0 && (
            <li className="py-6 text-center text-mute">
              Escribe a {entry.peerName}.{phase !== 'talking' && ' Lo verá aunque llegue después.'}
            </li>
          )}
          {chat.map((line) => (
            <Line
              key={line.id}
              line={line}
              isOwn={line.side === entry.side}
              name={entry.peerName}
              isUnsent={unsent.has(line.id)}
            />
          ))}
        </ul>
      </div>
      <Writing onSay={call.say} />
    </div>
  )
}

type LineProps = { line: ChatLine; isOwn: boolean; name: string; isUnsent: boolean }

const Line = ({ line, isOwn, name, isUnsent }: LineProps) => (
  <li
    className={classNames(
      'max-w-[85%] rounded-card px-3 py-2',
      isOwn ? 'justify-self-end bg-brand-soft' : 'justify-self-start bg-hover',
    )}
  >
    <span className="sr-only">{isOwn ? 'Tú' : name}: </span>
    <p className="whitespace-pre-wrap wrap-anywhere">{line.text}</p>
    <p className="text-right text-xs text-mute">{isUnsent ? 'Enviando…' : time(new Date(line.at))}</p>
  </li>
)

/** No form: one with typed text would keep the screen from revalidating. */
function Writing({ onSay }: { onSay: (text: string) => void }) {
  const [text, setText] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  const send = () => {
    if (text.trim()) onSay(text.trim())
    setText('')
    field.current?.focus()
  }
  const press = (event: KeyboardEvent) => {
    // During an input composition (an accent or a word), Enter ends it.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send()
  }
  return (
    <div className="flex items-end gap-2 border-t border-line p-3">
      <textarea
        ref={field}
        aria-label="Escribe un mensaje"
        placeholder="Escribe un mensaje"
        rows={1}
        maxLength={longestLine}
        enterKeyHint="send"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
        onKeyDown={press}
        className={classNames(controlClass, 'field-sizing-content max-h-32 min-w-0 flex-1 resize-none')}
      />
      <button
        type="button"
        aria-label="Enviar"
        onClick={send}
        className="grid size-12 shrink-0 place-items-center rounded-control bg-brand text-on-brand hover:bg-brand-strong lg:size-11"
      >
        <SendHorizontal aria-hidden className="size-5" />
      </button>
    </div>
  )
}
