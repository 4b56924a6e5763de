import { readFileSync, writeFileSync } from 'node:fs'
import { codeMachine } from '../../src/agencies/rules/codes.ts'
import { commissionMachine } from '../../src/agencies/rules/commissions.ts'
import { appointmentMachine } from '../../src/appointments/rules/transitions.ts'
import { caseMachine } from '../../src/cfe/rules/case.ts'
import { invoiceMachine } from '../../src/invoices/rules/invoice.ts'
import { fiscalMachine } from '../../src/invoices/rules/taxpayer.ts'
import { messageMachine } from '../../src/notifications/rules/whatsapp.ts'
import { bankLineMachine } from '../../src/payments/rules/bank-matching.ts'
import { paymentMachine, refundMachine } from '../../src/payments/rules/payment.ts'
import { quoteMachine } from '../../src/quotes/rules/quote.ts'
import { sheetMachine } from '../../src/reports/rules/report.ts'

// `node test/kit/state-diagrams.ts docs/areas/*.md` writes the diagram of each machine into docs/areas, below the line that names it.

type Target = string | ((facts: { state: string }) => string)
/** What a diagram needs of a machine; `to` of a function is asked with nothing but the state. */
type Drawn = { transitions: object; from: (...names: never[]) => string[] }

/** The machines by the name that their diagrams carry. */
export const machines: Record<string, Drawn> = {
  appointment: appointmentMachine,
  bankLine: bankLineMachine,
  case: caseMachine,
  code: codeMachine,
  commission: commissionMachine,
  fiscal: fiscalMachine,
  invoice: invoiceMachine,
  message: messageMachine,
  payment: paymentMachine,
  quote: quoteMachine,
  refund: refundMachine,
  report: sheetMachine,
}

/** The Mermaid lines of a machine: one arrow for each two states, with the transitions that make it. */
export function diagramOf({ transitions }: Drawn): string {
  const arrows = new Map<string, string[]>()
  for (const [name, { from, to }] of Object.entries(transitions) as [
    string,
    { from: string[]; to: Target },
  ][])
    for (const state of from) {
      const next = typeof to === 'function' ? to({ state }) : to === 'same' ? state : to
      if (next === state) continue
      const arrow = `${state} --> ${next}`
      arrows.set(arrow, [...(arrows.get(arrow) ?? []), name])
    }
  const lines = [...arrows].map(([arrow, names]) => `  ${arrow}: ${names.join(', ')}`)
  return ['```mermaid', 'stateDiagram-v2', ...lines, '```'].join('\n')
}

const marked = /<!-- machine: (\w+) -->\n\n(?:```mermaid[\s\S]*?```\n\n)?/g

/** A document with the diagrams of today under its marks, and the names of the machines it draws. */
export function withDiagrams(text: string): { drawn: string; names: string[] } {
  const names: string[] = []
  const drawn = text.replace(marked, (_, name: string) => {
    names.push(name)
    return `<!-- machine: ${name} -->\n\n${diagramOf(machines[name]!)}\n\n`
  })
  return { drawn, names }
}

export const machineNames = Object.keys(machines)

if (import.meta.main)
  for (const file of process.argv.slice(2))
    writeFileSync(file, withDiagrams(readFileSync(file, 'utf8')).drawn)
