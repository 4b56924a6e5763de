import type { Mover } from '../access/rules/actor.ts'
import { refuse } from './refusal.ts'

/** The meaning of a state badge's colour. */
export type Tone = 'ok' | 'wait' | 'info' | 'bad' | 'neutral'
/** The label of a state, and the colour of its badge. */
export type StateFacts = { label: string; tone: Tone }

/** A transition of a machine; `Now` is `[now: Date]` where the machine depends on the time. */
type Transition<Facts extends { state: string }, Now extends [now: Date] | []> = {
  from: readonly Facts['state'][]
  /** `same` changes data other than the state. */
  to: Facts['state'] | 'same' | ((facts: Facts) => Facts['state'])
  by: (actor: Mover, facts: Facts) => boolean
  /** Why an allowed transition has to wait, in words for the actor; null if it can be made. */
  blocked?: (actor: Mover, facts: Facts, ...now: Now) => string | null
}
/** Rejects keys that a transition does not have. */
type Exact<Table, Allowed> = {
  [Name in keyof Table]: { [Key in keyof Table[Name]]: Key extends keyof Allowed ? unknown : never }
}

/**
 * The state machine of a table of transitions, called with (name, actor, facts, now). `already` returns, in words for
 * the actor, why a transition does not leave a state. Callers mark the call `@__PURE__`: a screen that only shows a
 * state's label does not load its machine.
 */
export const machine =
  <Facts extends { state: string }, Now extends [now: Date] | [] = []>() =>
  <const Table extends Record<string, Transition<Facts, Now>>>(
    transitions: Table & Exact<Table, Transition<Facts, Now>>,
    already?: (state: Facts['state']) => string,
  ) => {
    type Name = keyof Table & string
    const table: Record<Name, Transition<Facts, Now>> = transitions
    const isNext = (name: Name, actor: Mover, facts: Facts) =>
      table[name].by(actor, facts) && table[name].from.includes(facts.state)

    return {
      transitions: transitions as Table,
      names: Object.keys(transitions) as Name[],
      /** The states that any of these transitions leaves. */
      from: (...names: Name[]): Facts['state'][] => [...new Set(names.flatMap((name) => table[name].from))],
      /** Whether a transition can be made now. */
      can: (name: Name, actor: Mover, facts: Facts, ...now: Now): boolean =>
        isNext(name, actor, facts) && !table[name].blocked?.(actor, facts, ...now),
      /** Why a transition has to wait; null if it can be made, or is not allowed to the actor. */
      blockedReason: (name: Name, actor: Mover, facts: Facts, ...now: Now): string | null =>
        isNext(name, actor, facts) ? (table[name].blocked?.(actor, facts, ...now) ?? null) : null,
      /** The state that a transition leads to, or a Refusal that says why not. */
      next(name: Name, actor: Mover, facts: Facts, ...now: Now): Facts['state'] {
        const { blocked, by, from, to } = table[name]
        if (!by(actor, facts)) refuse('permission-denied')
        if (!from.includes(facts.state)) refuse('failed-precondition', already?.(facts.state))
        const reason = blocked?.(actor, facts, ...now)
        if (reason) refuse('failed-precondition', reason)
        return typeof to === 'function' ? to(facts) : to === 'same' ? facts.state : to
      },
    }
  }

/** The names of a machine's transitions. */
export type TransitionOf<Machine extends { names: readonly string[] }> = Machine['names'][number]
