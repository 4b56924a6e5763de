import type { Cfdi, CfdiConcept } from '../../src/invoices/rules/cfdi-schema.ts'

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

/** Whether an amount lies where a × b may lie, given what rounding both may have hidden. */
function isProduct(amount: string, a: string, b: string, bIsExact = false): boolean {
  const halfB = bIsExact ? 0n : half(b)
  const low = ((micro(a) - half(a)) * (micro(b) - halfB)) / million
  const high = ((micro(a) + half(a)) * (micro(b) + halfB)) / million
  return micro(amount) >= (low / cent) * cent && micro(amount) <= ((high + cent - 1n) / cent) * cent
}

/** The names of what does not hold. */
const faults = (holds: Record<string, boolean>) => Object.keys(holds).filter((name) => !holds[name])

function faultsOfLines(cfdi: Exclude<Cfdi, { TipoDeComprobante: 'P' }>): string[] {
  const { Conceptos, Descuento, Impuestos, SubTotal, Total } = cfdi
  const taxes = Conceptos.flatMap(({ Traslados = [] }) => Traslados)
  const ofRate = (rate: string) => taxes.filter(({ TasaOCuota }) => TasaOCuota === rate)
  const iva = micro(Impuestos.TotalImpuestosTrasladados)
  return [
    ...Conceptos.flatMap(faultsOfConcept),
    ...Impuestos.Traslados.flatMap(({ Base, Importe, TasaOCuota }) =>
      faults({
        [`Base ${TasaOCuota}`]: micro(Base) === sum(ofRate(TasaOCuota).map((one) => one.Base)),
        [`Importe ${TasaOCuota}`]: micro(Importe) === sum(ofRate(TasaOCuota).map((one) => one.Importe)),
      }),
    ),
    ...faults({
      SubTotal: micro(SubTotal) === sum(Conceptos.map(({ Importe }) => Importe)),
      Descuento: micro(Descuento ?? '0') === sum(Conceptos.map((one) => one.Descuento)),
      'Descuento sin concepto': (Descuento !== undefined) === Conceptos.some((one) => one.Descuento),
      Traslados: new Set(taxes.map(({ TasaOCuota }) => TasaOCuota)).size === Impuestos.Traslados.length,
      TotalImpuestosTrasladados: iva === sum(taxes.map(({ Importe }) => Importe)),
      Total: micro(Total) === micro(SubTotal) - micro(Descuento ?? '0') + iva,
    }),
  ]
}

function faultsOfConcept(concept: CfdiConcept) {
  const { Cantidad, Descuento = '0', Importe, ObjetoImp, Traslados, ValorUnitario } = concept
  return [
    ...faults({
      Cantidad: micro(Cantidad) > 0n,
      ValorUnitario: micro(ValorUnitario) > 0n,
      [`Importe ${Cantidad} × ${ValorUnitario} = ${Importe}`]: isProduct(Importe, Cantidad, ValorUnitario),
      'Descuento mayor que Importe': micro(Descuento) <= micro(Importe),
      ObjetoImp: (ObjetoImp === '02') === (Traslados !== undefined),
    }),
    ...(Traslados ?? []).flatMap(({ Base, Importe: tax, TasaOCuota }) =>
      faults({
        Base: micro(Base) > 0n && micro(Base) === micro(Importe) - micro(Descuento),
        [`IVA de ${Base} = ${tax}`]: isProduct(tax, Base, TasaOCuota, true),
      }),
    ),
  ]
}

function faultsOfPayment({ Pagos }: Extract<Cfdi, { TipoDeComprobante: 'P' }>): string[] {
  const { Pago, Totales } = Pagos
  return Pago.flatMap(({ DoctoRelacionado, ImpuestosP, Monto }) => {
    const [document] = DoctoRelacionado
    const { ImpPagado, ImpSaldoAnt, ImpSaldoInsoluto, ImpuestosDR } = document!
    const taxes = ImpuestosDR.TrasladosDR
    return [
      ...faults({
        Monto: micro(Monto) > 0n && micro(Monto) === micro(ImpPagado),
        MontoTotalPagos: micro(Totales.MontoTotalPagos) === micro(Monto),
        ImpSaldoInsoluto: micro(ImpSaldoInsoluto) === micro(ImpSaldoAnt) - micro(ImpPagado),
        'bases e impuestos':
          sum(taxes.flatMap(({ BaseDR, ImporteDR }) => [BaseDR, ImporteDR])) === micro(ImpPagado),
      }),
      ...taxes.flatMap(({ BaseDR, ImporteDR, TasaOCuotaDR }, n) => {
        const same = ImpuestosP.TrasladosP[n]
        const shown = TasaOCuotaDR === '0.160000' ? 'IVA16' : 'IVA0'
        return faults({
          BaseDR: micro(BaseDR) > 0n,
          [`ImporteDR ${BaseDR} = ${ImporteDR}`]: isProduct(ImporteDR, BaseDR, TasaOCuotaDR, true),
          TrasladosP: same?.BaseP === BaseDR && same.ImporteP === ImporteDR,
          TotalTrasladosBase: Totales[`TotalTrasladosBase${shown}`] === BaseDR,
          TotalTrasladosImpuesto: Totales[`TotalTrasladosImpuesto${shown}`] === ImporteDR,
        })
      }),
    ]
  })
}
