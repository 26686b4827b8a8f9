/** Whether `fetch` takes `cache`: some runtimes refuse the option. */
export const isCacheKnown = () => typeof Request === 'function' && 'cache' in Request.prototype
