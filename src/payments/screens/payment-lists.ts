import { BookOpen, HandCoins } from 'lucide-react'
import { aMonth, aYear, choiceFilter, dayFilters, oneOf, orders, searched } from '../../kit/list/filters.ts'
import type { List } from '../../kit/list/list-body.tsx'
import type { ListOrder } from '../../shared/count.ts'
import { conceptLabels, methodLabels, paymentStateFacts } from '../rules/payment.ts'
import { type AgeFilter, moneyFigures, receivableAges } from '../rules/receivable.ts'
import { officePath, paymentPartPath } from './office-path.ts'

export const paymentList = {
  path: paymentPartPath('libro'),
  file: officePath,
  title: 'Pagos',
  words: ['pago', 'pagos'],
  saved: 'payments',
  icon: BookOpen,
  empty: 'Todavía no hay pagos. El primero aparece cuando un cliente acepta su cotización.',
  narrowed: 'No hay pagos con estos filtros.',
  all: 'Ver todos',
  ticked: ['marcado', 'marcados'],
  filters: {
    ...dayFilters,
    month: aMonth,
    year: aYear,
    method: choiceFilter('Método', methodLabels),
    concept: choiceFilter('Concepto', conceptLabels),
    state: choiceFilter('Estado', paymentStateFacts),
    figure: choiceFilter('Suma', moneyFigures),
    text: searched('Folio, nombre o clave de rastreo'),
    order: orders('Más recientes primero', {
      reverse: 'Más antiguos primero',
      amount: 'Mayor cantidad primero',
      'amount-reverse': 'Menor cantidad primero',
    }),
  },
} satisfies List

export const receivableList = {
  path: paymentPartPath('cobrar'),
  title: 'Pagos por cobrar',
  words: ['pago', 'pagos'],
  saved: 'receivables',
  icon: HandCoins,
  empty: 'Nadie debe nada: todo lo que se pidió ya está pagado.',
  narrowed: 'No hay pagos de esta antigüedad.',
  all: 'Ver todo',
  ticked: ['marcado', 'marcados'],
  filters: {
    age: oneOf(['overdue', ...Object.keys(receivableAges)] as AgeFilter[]),
    order: oneOf<ListOrder<'amount'>>(['reverse', 'amount', 'amount-reverse']),
  },
} satisfies List
