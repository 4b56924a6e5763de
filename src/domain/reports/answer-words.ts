import { figure } from '../shared/format.ts'
import type { AnswerValue, HouseLoad, Question } from './sheet.ts'
import { gaugeLabels } from './visit-report.ts'

/** An answer as people read it, with its unit; null where nothing was answered. */
export function answerInWords(question: Question, value: AnswerValue | undefined): string | null {
  if (value === undefined || value === null || value === '') return null
  switch (question.kind) {
    case 'choice':
      return question.options[String(value)] ?? String(value)
    case 'conductor':
      return gaugeLabels[String(value)] ?? String(value)
    case 'number':
      return typeof value === 'number' ? `${figure(value, question.decimals)} ${question.unit}` : null
    case 'yesNo':
      return value === true ? 'Sí' : 'No'
    case 'tick':
      return value === true ? 'Hecho' : 'Sin hacer'
    case 'loads':
      return Array.isArray(value) ? value.map(loadInWords).join('; ') : null
    case 'text':
    case 'lines':
      return String(value)
  }
}

const loadInWords = ({ name, quantity, watts }: HouseLoad) => `${name}: ${quantity} × ${figure(watts, 0)} W`
