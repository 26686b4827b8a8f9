/** What a provider wrote about itself stands in quotation marks that it cannot close: no name may go on as our sentence. */
export const quoted = (stated: string) => `“${stated.replace(/["“”„‟«»〝〞〟＂″‶ˮʺ❝❞]/g, '’').replace(/['‘’‚‛′´ʹ\u0060]{2,}/g, '’')}”`
