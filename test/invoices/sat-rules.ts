import type { Cfdi, CfdiConcept } from '../../src/domain/invoices/cfdi-schema.ts'

/**
 * What the SAT works out anew when it takes a CFDI 4.0 or a complement Pagos 2.0 (its matrices of validations), in millionths
 * of a peso and apart from the code that writes them. Answers what is wrong; nothing when all holds.
 */
export const satFaults = (cfdi: Cfdi): string[] =>
  cfdi.TipoDeComprobante === 'P' ? faultsOfPayment(cfdi) : faultsOfLines(cfdi)

const million = 1_000_000n
const micro = (text: string): bigint => {
  const [whole = '0', decimals = ''] = text.split('.')
  return BigInt(whole) * million + BigInt(decimals.padEnd(6, '0'))
}
const sum = (texts: readonly (string | undefined)[]) =>
  texts.reduce((total, text) => total + micro(text ?? '0'), 0n)
/** Half of the last decimal that is written. */
const half = (text: string) => 10n ** BigInt(6 - (text.split('.')[1]?.length ?? 0)) / 2n
const cent = 10_000n
const floorCents = (value: bigint) => (value / cent) * cent
const ceilCents = (value: bigint) => ((value + cent - 1n) / cent) * cent

/** Whether an amount lies where a × b may lie, given what rounding both may have hidden. */
function isProduct(amount: string, a: string, b: string, bIsExact = false): boolean {
  const halfB = bIsExact ? 0n : half(b)
  const low = ((micro(a) - half(a)) * (micro(b) - halfB)) / million
  const high = ((micro(a) + half(a)) * (micro(b) + halfB)) / million
  return micro(amount) >= floorCents(low) && micro(amount) <= ceilCents(high)
}

const fault = (isRight: boolean, what: string) => (isRight ? [] : [what])

function faultsOfLines(cfdi: Exclude<Cfdi, { TipoDeComprobante: 'P' }>): string[] {
  const { Conceptos, Descuento, Impuestos, SubTotal, Total } = cfdi
  const taxes = Conceptos.flatMap(({ Traslados = [] }) => Traslados)
  const ofRate = (rate: string) => taxes.filter(({ TasaOCuota }) => TasaOCuota === rate)
  return [
    ...Conceptos.flatMap(faultsOfConcept),
    ...fault(micro(SubTotal) === sum(Conceptos.map(({ Importe }) => Importe)), 'SubTotal'),
    ...fault(micro(Descuento ?? '0') === sum(Conceptos.map((one) => one.Descuento)), 'Descuento'),
    ...fault((Descuento !== undefined) === Conceptos.some((one) => one.Descuento), 'Descuento sin concepto'),
    ...Impuestos.Traslados.flatMap(({ Base, Importe, TasaOCuota }) => [
      ...fault(micro(Base) === sum(ofRate(TasaOCuota).map((one) => one.Base)), `Base ${TasaOCuota}`),
      ...fault(micro(Importe) === sum(ofRate(TasaOCuota).map((one) => one.Importe)), `Importe ${TasaOCuota}`),
    ]),
    ...fault(
      new Set(taxes.map(({ TasaOCuota }) => TasaOCuota)).size === Impuestos.Traslados.length,
      'Traslados',
    ),
    ...fault(
      micro(Impuestos.TotalImpuestosTrasladados) === sum(taxes.map(({ Importe }) => Importe)),
      'TotalImpuestosTrasladados',
    ),
    ...fault(
      micro(Total) === micro(SubTotal) - micro(Descuento ?? '0') + micro(Impuestos.TotalImpuestosTrasladados),
      'Total',
    ),
  ]
}

function faultsOfConcept({
  Cantidad,
  Descuento = '0',
  Importe,
  ObjetoImp,
  Traslados,
  ValorUnitario,
}: CfdiConcept) {
  return [
    ...fault(micro(Cantidad) > 0n, 'Cantidad'),
    ...fault(micro(ValorUnitario) > 0n, 'ValorUnitario'),
    ...fault(
      isProduct(Importe, Cantidad, ValorUnitario),
      `Importe ${Cantidad} × ${ValorUnitario} = ${Importe}`,
    ),
    ...fault(micro(Descuento) <= micro(Importe), 'Descuento mayor que Importe'),
    ...fault((ObjetoImp === '02') === (Traslados !== undefined), 'ObjetoImp'),
    ...(Traslados ?? []).flatMap(({ Base, Importe: tax, TasaOCuota }) => [
      ...fault(micro(Base) > 0n && micro(Base) === micro(Importe) - micro(Descuento), 'Base'),
      ...fault(isProduct(tax, Base, TasaOCuota, true), `IVA de ${Base} = ${tax}`),
    ]),
  ]
}

function faultsOfPayment({ Pagos }: Extract<Cfdi, { TipoDeComprobante: 'P' }>): string[] {
  const { Pago, Totales } = Pagos
  return Pago.flatMap(({ DoctoRelacionado, ImpuestosP, Monto }) => {
    const [document] = DoctoRelacionado
    const { ImpPagado, ImpSaldoAnt, ImpSaldoInsoluto, ImpuestosDR } = document!
    const taxes = ImpuestosDR.TrasladosDR
    return [
      ...fault(micro(Monto) > 0n && micro(Monto) === micro(ImpPagado), 'Monto'),
      ...fault(micro(Totales.MontoTotalPagos) === micro(Monto), 'MontoTotalPagos'),
      ...fault(micro(ImpSaldoInsoluto) === micro(ImpSaldoAnt) - micro(ImpPagado), 'ImpSaldoInsoluto'),
      ...fault(
        sum(taxes.flatMap(({ BaseDR, ImporteDR }) => [BaseDR, ImporteDR])) === micro(ImpPagado),
        'bases e impuestos',
      ),
      ...taxes.flatMap(({ BaseDR, ImporteDR, TasaOCuotaDR }, n) => {
        const same = ImpuestosP.TrasladosP[n]
        const shown = TasaOCuotaDR === '0.160000' ? 'IVA16' : 'IVA0'
        return [
          ...fault(micro(BaseDR) > 0n, 'BaseDR'),
          ...fault(isProduct(ImporteDR, BaseDR, TasaOCuotaDR, true), `ImporteDR ${BaseDR} = ${ImporteDR}`),
          ...fault(same?.BaseP === BaseDR && same.ImporteP === ImporteDR, 'TrasladosP'),
          ...fault(Totales[`TotalTrasladosBase${shown}`] === BaseDR, 'Totales'),
          ...fault(Totales[`TotalTrasladosImpuesto${shown}`] === ImporteDR, 'Totales'),
        ]
      }),
    ]
  })
}
